/** How long refused and taken items are counted before they are compared, in milliseconds of a monotonic clock. */
const periodMs = 1_000;

/** Tells whether a queue refuses most of what arrives. */
export class RefusalShare {
  #fromMs = Number.NEGATIVE_INFINITY;
  #refused = 0;
  #taken = 0;
  #isMost = false;

  noteRefused(count: number, nowMs: number): void {
    this.#compareAfterPeriod(nowMs);
    this.#refused += count;
  }

  /** Notes that an item waits no longer, because its turn has come. */
  noteTaken(nowMs: number): void {
    this.#compareAfterPeriod(nowMs);
    this.#taken += 1;
  }

  /** Returns whether more items were refused than taken in the last full second. */
  isMost(nowMs: number): boolean {
    this.#compareAfterPeriod(nowMs);
    return this.#isMost;
  }

  #compareAfterPeriod(nowMs: number): void {
    const passedMs = nowMs - this.#fromMs;
    if (passedMs < periodMs) return;
    // What was counted longer ago says nothing about now.
    this.#isMost = passedMs < 2 * periodMs && this.#refused > this.#taken;
    this.#fromMs = nowMs;
    this.#refused = 0;
    this.#taken = 0;
  }
}
