import { withinMs } from '../time/within-ms.ts';

/** Calls usually end sooner unless the database hangs. After this time, the process may end without the rest. */
const waitMsMax = 15_000;

/** Counts the calls under way. A call continues after its client has closed the connection. */
export class RunningCalls {
  readonly #waitMs: number;
  #count = 0;
  #none: PromiseWithResolvers<void> | undefined;

  /** @param waitMs how long to wait for calls under way, in milliseconds */
  constructor(waitMs = waitMsMax) {
    this.#waitMs = waitMs;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#none?.resolve();
  }

  /** Resolves once no call is under way, or when the wait is over. */
  async ended(): Promise<void> {
    if (this.#count === 0) return;
    this.#none = Promise.withResolvers<void>();
    await withinMs(this.#none.promise, this.#waitMs, () => {});
  }
}
