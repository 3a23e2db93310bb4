import { setTimeout as delay } from 'node:timers/promises';

const lookIntervalMs = 10;

/** No call takes longer, unless its database hangs; then the process may end without it. */
const waitMs = 15_000;

/** Counts the calls under way: one whose client has gone is no open connection any more, and yet it runs. */
export class RunningCalls {
  #count = 0;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
  }

  /** Resolves once none is under way. */
  async ended(): Promise<void> {
    for (let waitedMs = 0; this.#count > 0 && waitedMs < waitMs; waitedMs += lookIntervalMs) {
      await delay(lookIntervalMs);
    }
  }
}
