/** A queue that has not been empty for this long is overload and not a burst. */
const standingAfterMs = 500;

/**
 * Tells overload of one queue from a burst, as CoDel (RFC 8289) and "Fail at Scale" (Maurer, 2015) do. While
 * the queue is sometimes empty, bursts may wait. A queue that has not been empty for half a second is a standing queue:
 * it only delays whatever waits in it, and should be kept short. Refusals empty the queue within milliseconds.
 * `calmAfterMs` keeps it short for a while after the last one, or it would grow like a burst again. All times are on one
 * monotonic clock, in milliseconds.
 */
export class OverloadDetector {
  readonly #calmAfterMs: number;
  #sinceMs = Number.POSITIVE_INFINITY;
  #untilMs = Number.NEGATIVE_INFINITY;

  /** @param calmAfterMs how long overload lasts after {@link extend}, even if the queue is empty meanwhile */
  constructor(calmAfterMs: number) {
    this.#calmAfterMs = calmAfterMs;
  }

  /** Notes that something begins to wait in a queue that was empty. */
  noteFirst(nowMs: number): void {
    this.#sinceMs = nowMs;
  }

  noteEmpty(): void {
    this.#sinceMs = Number.POSITIVE_INFINITY;
  }

  /** Returns whether the queue has not been empty for longer than a burst lasts. */
  isStanding(nowMs: number): boolean {
    return nowMs - this.#sinceMs > standingAfterMs;
  }

  /** Returns whether the queue must be kept short. */
  isOverloaded(nowMs: number): boolean {
    return this.isStanding(nowMs) || nowMs < this.#untilMs;
  }

  /** Makes overload last for the given time from now on. */
  extend(nowMs: number): void {
    this.#untilMs = nowMs + this.#calmAfterMs;
  }
}
