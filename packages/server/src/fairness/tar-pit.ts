import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the time has passed or the signal aborts. Never rejects. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** Maximum number of delayed answers; each waiting request takes a few kilobytes. */
const heldMax = 1_000;

/**
 * Delays refusals, to slow down clients that guess passwords or send the next request at once.
 * Beyond a limit refusals are sent at once, because memory matters more.
 */
export class TarPit {
  readonly #wait: Wait;
  #held = 0;

  constructor(wait: Wait = waitByTimer) {
    this.#wait = wait;
  }

  /** Resolves after the time, or as soon as the signal aborts. */
  async hold(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (ms <= 0 || this.#held >= heldMax) return;
    this.#held += 1;
    try {
      await this.#wait(ms, signal);
    } finally {
      this.#held -= 1;
    }
  }
}

async function waitByTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal });
  } catch {
    // The signal aborted.
  }
}
