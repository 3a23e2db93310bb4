/** How much work the pace is measured over, in milliseconds, and its first value. */
const intervalMs = 100;
const perMsAtStart = 10;

/**
 * How many things of one kind the process does in a millisecond of work, over the last hundred since it began. It counts processor time,
 * because on a busy machine most of any time passes while the process waits for a core.
 */
export class WorkPace {
  #fromMs = 0;
  #done = 0;
  #perMs = perMsAtStart;

  /** Things done in a millisecond of work. */
  get perMs(): number {
    return this.#perMs;
  }

  /** @param workedMs the processor time so far. What was done until then says nothing about the pace. */
  begin(workedMs: number): void {
    this.#fromMs = workedMs;
    this.#done = 0;
  }

  /** @param workedMs the processor time when the things were done */
  note(workedMs: number, done: number): void {
    this.#done += done;
    const tookMs = workedMs - this.#fromMs;
    if (tookMs < intervalMs) return;
    this.#perMs = this.#done / tookMs;
    this.#fromMs = workedMs;
    this.#done = 0;
  }
}

/** Returns the processor time of the event loop's thread, in milliseconds. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
