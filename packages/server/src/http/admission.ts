/** Requests that may wait in a burst. */
const burstMax = 8_192;

/** After this time without a break, waiting requests are overload and not a burst. */
const standingAfterMs = 500;

/** Bounds of the number of requests handled in one turn of the event loop. */
const perTurn = { most: 128, least: 8 };

export interface AdmissionOptions {
  /** Requests that may wait for longer than a burst lasts. */
  readonly waitingMax: number;
  /** Is called at most every ten seconds, with the number of requests refused so far. */
  readonly onRefused: (count: number) => void;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

const reportIntervalMs = 10_000;

/**
 * Decides whether a request may wait for its turn. It knows nothing of the request, because nothing is verified yet: an
 * APPID could be somebody else's.
 *
 * It follows "Fail at Scale" (Maurer, 2015), a variant of CoDel (RFC 8289). Requests wait because the event loop is late.
 * While the queue is sometimes empty, bursts may wait. Once it has not been empty for half a second, more requests
 * arrive than can be handled, and waiting only delays all of them: the queue is cut to its usual length, the oldest
 * requests first, until it is empty again.
 *
 * The number of requests handled in one turn falls and rises (additive increase, multiplicative decrease) with what waits
 * behind the signature. Without that, a loop that verifies requests which are refused anyway would hardly get to the
 * work that it has begun.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #now: () => number;
  /** When the first request of the current queue began to wait. */
  #sinceMs = 0;
  #isStanding = false;
  #perTurn = perTurn.most;
  #wasBusy = false;
  #refused = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Requests refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Maximum number of requests to handle in this turn. */
  get requestsPerTurn(): number {
    return this.#perTurn;
  }

  /**
   * Decides about a request that cannot be handled at once.
   *
   * @param waiting requests that wait already
   */
  admits(waiting: number): boolean {
    if (waiting === 0) this.#sinceMs = this.#now();
    if (waiting < (this.#isStanding ? this.#options.waitingMax : burstMax)) return true;
    this.#noteRefused(1);
    return false;
  }

  /**
   * @param waiting requests that wait
   * @returns how many of them may not wait any longer
   */
  takeExcess(waiting: number): number {
    const excess = this.#isStanding ? Math.max(0, waiting - this.#options.waitingMax) : 0;
    if (excess > 0) this.#noteRefused(excess);
    return excess;
  }

  /** Notes that a verified request was refused, because what it needs has too much to do. */
  noteBusy(): void {
    this.#wasBusy = true;
  }

  /** @param waiting requests that wait after this turn */
  endTurn(waiting: number): void {
    this.#isStanding = waiting > 0 && this.#now() - this.#sinceMs > standingAfterMs;
    if (!this.#isStanding) this.#perTurn = perTurn.most;
    else if (this.#wasBusy) this.#perTurn = Math.max(perTurn.least, Math.floor(this.#perTurn / 2));
    else this.#perTurn = Math.min(perTurn.most, this.#perTurn + 1);
    this.#wasBusy = false;
  }

  #noteRefused(count: number): void {
    this.#refused += count;
    const nowMs = this.#now();
    if (nowMs - this.#reportedAtMs < reportIntervalMs) return;
    this.#reportedAtMs = nowMs;
    this.#options.onRefused(this.#refused);
  }
}
