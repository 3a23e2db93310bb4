/** Processor time over which the pace is measured, in milliseconds. */
const intervalMs = 100;

/** The pace before the first measurement. */
const perMsAtStart = 10;

/**
 * Measures how many items the process handles in a millisecond of processor time. It does not measure
 * elapsed time, because a process on a busy machine spends most of that waiting for a core.
 */
export class WorkPace {
  #fromMs = 0;
  #done = 0;
  #perMs = perMsAtStart;

  /** Items handled in a millisecond of processor time. */
  get perMs(): number {
    return this.#perMs;
  }

  /** @param workedMs the processor time so far. Work before it does not count. */
  begin(workedMs: number): void {
    this.#fromMs = workedMs;
    this.#done = 0;
  }

  /** @param workedMs the processor time after the items were handled */
  note(workedMs: number, done: number): void {
    this.#done += done;
    const tookMs = workedMs - this.#fromMs;
    if (tookMs < intervalMs) return;
    this.#perMs = this.#done / tookMs;
    this.#fromMs = workedMs;
    this.#done = 0;
  }
}
