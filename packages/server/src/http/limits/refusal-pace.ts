import type { Socket } from 'node:net';
import type { MetricSource } from '../../metrics/metric-source.ts';

/**
 * Each interval, this many refusals go out at once, even to clients that were just refused. Most of these clients send
 * another request that is refused too. At some 80 µs each, refusals take up to a tenth of the event loop.
 */
const pace = { refusals: 5, intervalMs: 5 };

/** A client that sends sooner than this after a refusal ignores `Retry-After`, which asks for a second. */
const retryAfterMs = 1_000;

/** The longest wait of a refusal. It is measured by the clock, because a busy event loop makes intervals longer. */
const heldMsMax = 2_000;

const intervalsMax = heldMsMax / pace.intervalMs;

interface HeldRefusal {
  readonly send: () => void;
  readonly dueMs: number;
}

export interface RefusalPaceOptions {
  /** Refusals that may wait at once. */
  readonly heldMax: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Bounds what clients cost that ignore `Retry-After` and send the next request as soon as they have a refusal. A
 * refusal goes out at once, unless there are many and its connection got another refusal within the last second. Then it
 * waits in a queue, in the order of the requests, for at most two seconds.
 *
 * Only refusals wait. If the connection waited with its next request instead, so would a call that can be accepted, and
 * behind a proxy, even one of another client.
 */
export class RefusalPace {
  readonly #heldMax: number;
  readonly #now: () => number;
  /** The queue, the oldest first. */
  readonly #held: HeldRefusal[] = [];
  readonly #refusedAtMs = new WeakMap<Socket, number>();
  #perInterval = pace.refusals;
  /** Refusals that may still go out in this interval. */
  #left = pace.refusals;
  #intervalRuns = false;
  #ended = false;

  constructor({ heldMax, now = () => performance.now() }: RefusalPaceOptions) {
    this.#heldMax = heldMax;
    this.#now = now;
  }

  /** Refusals that wait at this moment. */
  get heldCount(): number {
    return this.#held.length;
  }

  /**
   * Sends a refusal at once, or when it leaves the queue.
   *
   * @param socket the connection on which the request came
   * @param send called once, perhaps after the connection has closed
   */
  send(socket: Socket, send: () => void): void {
    if (!this.#intervalRuns) this.#beginInterval();
    const nowMs = this.#now();
    const sendNoting = () => {
      this.#refusedAtMs.set(socket, this.#now());
      send();
    };
    if (this.#left > 0) this.#left -= 1;
    else if (!this.#ended && this.#wasRefusedSince(socket, nowMs - retryAfterMs)) {
      this.#hold({ send: sendNoting, dueMs: nowMs + heldMsMax });
      return;
    }
    sendNoting();
  }

  /** Sends all refusals that wait, and later ones at once. */
  end(): void {
    this.#ended = true;
    this.#release(this.heldCount);
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_refusals_held',
        help: 'Refusals for overload that wait, because their connections got another one within the last second',
        ofWorkers: 'sum',
        read: () => this.heldCount,
      },
    ];
  }

  #wasRefusedSince(socket: Socket, sinceMs: number): boolean {
    return (this.#refusedAtMs.get(socket) ?? Number.NEGATIVE_INFINITY) > sinceMs;
  }

  #hold(refusal: HeldRefusal): void {
    this.#held.push(refusal);
    if (this.heldCount > this.#heldMax) this.#release(1);
    this.#perInterval = Math.max(this.#perInterval, Math.ceil(this.heldCount / intervalsMax));
  }

  #beginInterval(): void {
    if (this.heldCount === 0) this.#perInterval = pace.refusals;
    const released = Math.max(this.#countDue(), Math.min(this.heldCount, this.#perInterval));
    this.#release(released);
    this.#left = Math.max(0, this.#perInterval - released);
    this.#intervalRuns = true;
    setTimeout(() => this.#endInterval(), pace.intervalMs);
  }

  /** Refusals that have waited long enough, however many may go out in an interval. */
  #countDue(): number {
    const nowMs = this.#now();
    const firstLater = this.#held.findIndex(({ dueMs }) => dueMs > nowMs);
    return firstLater === -1 ? this.heldCount : firstLater;
  }

  #endInterval(): void {
    this.#intervalRuns = false;
    if (this.heldCount > 0) this.#beginInterval();
  }

  #release(count: number): void {
    for (const { send } of this.#held.splice(0, count)) send();
  }
}
