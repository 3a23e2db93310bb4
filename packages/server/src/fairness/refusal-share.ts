/** How long refused and taken items are counted before they are compared, in milliseconds of a monotonic clock. */
const periodMs = 1_000;

/**
 * A flood begins with a second in which more than the first part of the taken items is refused, and ends with one in which
 * no more than the second part is. Refusals are held back, so even of ten times what can be done, fewer are refused
 * than taken. With one part for both, a flood near it would end and begin every few seconds.
 */
const partOfTaken = { begin: 1 / 2, end: 1 / 8 };

/** Tells whether a queue is flooded: many of the items that arrive are refused. */
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

  /** Returns whether a flood has begun and not ended. Only full seconds count. */
  isFlooded(nowMs: number): boolean {
    this.#compareAfterPeriod(nowMs);
    return this.#isFlooded;
  }

  #compareAfterPeriod(nowMs: number): void {
    const passedMs = nowMs - this.#fromMs;
    if (passedMs < periodMs) return;
    // What was counted longer ago says nothing about now.
    const least = partOfTaken[this.#isFlooded ? 'end' : 'begin'] * this.#taken;
    this.#isFlooded = passedMs < 2 * periodMs && this.#refused > least;
    this.#fromMs = nowMs;
    this.#refused = 0;
    this.#taken = 0;
  }
}
