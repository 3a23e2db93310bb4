import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MetricSource } from '../metrics/metric-source.ts';

/**
 * Refused connections that may send another request in each interval. Most of these requests are refused too, at some
 * 50 µs each, so they take up to a tenth of the event loop.
 */
const pace = { connections: 20, intervalMs: 10 };

/** The second of `Retry-After`. A busy event loop makes intervals longer, so counting them would not do. */
const restMsMax = 1_000;

const intervalsMax = restMsMax / pace.intervalMs;

interface Rest {
  readonly socket: Socket;
  readonly endsAtMs: number;
}

export interface RestingConnectionsOptions {
  /**
   * Connections that may rest at once. Nothing is read from them, so those that their clients have closed stay open until
   * their turn, and count among the open ones.
   */
  readonly most: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Bounds what clients cost that ignore `Retry-After` and send the next request as soon as they have a refusal. While
 * there are many of them, a refused connection rests: nothing is read from it until its turn comes, in the order of the
 * refusals, or until it has rested for a second. The next request waits in the socket meanwhile. If requests waited after
 * they were parsed, the collector of young objects would copy them again and again.
 */
export class RestingConnections {
  readonly #most: number;
  readonly #now: () => number;
  /** In the order of their turns. */
  readonly #resting: Rest[] = [];
  #perInterval = pace.connections;
  /** Connections that may still go on in this interval. */
  #left = pace.connections;
  #intervalRuns = false;
  #ended = false;

  constructor({ most, now = () => performance.now() }: RestingConnectionsOptions) {
    this.#most = most;
    this.#now = now;
  }

  /** Connections that rest at this moment. */
  get count(): number {
    return this.#resting.length;
  }

  /** Lets the connection of a refusal rest once it is sent, unless there were few refusals. */
  restAfter(response: ServerResponse): void {
    // An answer behind others on its connection has no socket of its own yet.
    const { socket } = response.req;
    // At the end of an answer, Node.js reads on to discard what is left of the request, which would end the rest.
    response.once('finish', () => setImmediate(() => this.#rest(socket)));
  }

  /** Ends all rests, and lets no connection rest any more. A stop would take a resting connection for a quiet one. */
  end(): void {
    this.#ended = true;
    this.#wake(this.count);
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_connections_resting',
        help: 'Connections whose next request is not read yet, because the last one was refused for overload',
        ofWorkers: 'sum',
        read: () => this.count,
      },
    ];
  }

  #rest(socket: Socket): void {
    // A connection that closes with its answer would take the turn of another one.
    if (this.#ended || socket.isPaused() || !socket.writable) return;
    if (!this.#intervalRuns) this.#beginInterval();
    if (this.#left > 0) {
      this.#left -= 1;
      return;
    }
    socket.pause();
    this.#resting.push({ socket, endsAtMs: this.#now() + restMsMax });
    if (this.count > this.#most) this.#wake(1);
    this.#perInterval = Math.max(this.#perInterval, Math.ceil(this.count / intervalsMax));
  }

  #beginInterval(): void {
    if (this.count === 0) this.#perInterval = pace.connections;
    const woken = Math.max(this.#countDue(), Math.min(this.count, this.#perInterval));
    this.#wake(woken);
    this.#left = Math.max(0, this.#perInterval - woken);
    this.#intervalRuns = true;
    setTimeout(() => this.#endInterval(), pace.intervalMs);
  }

  /** Connections that have rested long enough, however many may go on in an interval. */
  #countDue(): number {
    const nowMs = this.#now();
    const firstLater = this.#resting.findIndex(({ endsAtMs }) => endsAtMs > nowMs);
    return firstLater === -1 ? this.count : firstLater;
  }

  #endInterval(): void {
    this.#intervalRuns = false;
    if (this.count > 0) this.#beginInterval();
  }

  #wake(count: number): void {
    for (const { socket } of this.#resting.splice(0, count)) socket.resume();
  }
}
