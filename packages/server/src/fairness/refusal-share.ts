/** How long refused and taken items are counted before they are compared, in milliseconds of a monotonic clock. */
const periodMs = 1_000;

/**
 * A flood is over once no more than this share of the taken items is refused in a second. If it ended when fewer are
 * refused than taken, one that brings twice what can be done would end and begin every few seconds.
 */
const endShare = 0.5;

/** Tells whether a queue is flooded: since some second, more items have been refused than taken, or nearly as many. */
export class RefusalShare {
  #fromMs = Number.NEGATIVE_INFINITY;
  #refused = 0;
  #taken = 0;
  #isFlooded = false;

  noteRefused(count: number, nowMs: number): void {
    this.#compareAfterPeriod(nowMs);
    this.#refused += count;
  }

  /** Notes that an item waits no longer, because its turn has come. */
  noteTaken(nowMs: number): void {
    this.#compareAfterPeriod(nowMs);
    this.#taken += 1;
  }

  /** Returns whether more items were refused than taken in a full second, and more than half as many in each one since. */
  isFlooded(nowMs: number): boolean {
    this.#compareAfterPeriod(nowMs);
    return this.#isFlooded;
  }

  /** Ends a flood at once, for example because nothing was under way for a while. */
  endFlood(): void {
    this.#isFlooded = false;
    this.#begin(Number.NEGATIVE_INFINITY);
  }

  #compareAfterPeriod(nowMs: number): void {
    const passedMs = nowMs - this.#fromMs;
    if (passedMs < periodMs) return;
    // What was counted longer ago says nothing about now.
    const least = (this.#isFlooded ? endShare : 1) * this.#taken;
    this.#isFlooded = passedMs < 2 * periodMs && this.#refused > least;
    this.#begin(nowMs);
  }

  #begin(fromMs: number): void {
    this.#fromMs = fromMs;
    this.#refused = 0;
    this.#taken = 0;
  }
}
