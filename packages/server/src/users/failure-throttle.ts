export interface FailureThrottleOptions {
  readonly failuresMax: number;
  readonly windowMs: number;
  /** Keys to remember; beyond it the oldest is forgotten. */
  readonly keysMax?: number;
}

interface Count {
  failures: number;
  readonly endsAtMs: number;
}

/**
 * Counts failures of each key within a window of time. An attempt counts as failed from its beginning, so
 * that many at once get no further than many in a row.
 */
export class FailureThrottle {
  readonly #options: Required<FailureThrottleOptions>;
  readonly #counts = new Map<string, Count>();

  constructor(options: FailureThrottleOptions) {
    this.#options = { keysMax: 100_000, ...options };
  }

  /** Begins an attempt; returns 0, or the milliseconds to wait when the key has failed too often. */
  begin(key: string, nowMs: number): number {
    const count = this.#countOf(key, nowMs);
    if (count.failures >= this.#options.failuresMax) return count.endsAtMs - nowMs;
    count.failures += 1;
    return 0;
  }

  /** The attempt came to nothing, neither to a success nor to a failure. */
  withdraw(key: string): void {
    const count = this.#counts.get(key);
    if (count !== undefined && count.failures > 0) count.failures -= 1;
  }

  /** Forgets the failures of the key. */
  reset(key: string): void {
    this.#counts.delete(key);
  }

  #countOf(key: string, nowMs: number): Count {
    const { windowMs, keysMax } = this.#options;
    const known = this.#counts.get(key);
    // A clock that was set back must not keep anyone out for longer than one window.
    if (known !== undefined && nowMs < known.endsAtMs && nowMs >= known.endsAtMs - windowMs) return known;
    const fresh = { failures: 0, endsAtMs: nowMs + windowMs };
    this.#counts.delete(key);
    this.#counts.set(key, fresh);
    if (this.#counts.size > keysMax) this.#forgetOldest();
    return fresh;
  }

  /** A map keeps the order in which its keys came, which is the order in which their windows end. */
  #forgetOldest(): void {
    for (const key of this.#counts.keys()) {
      this.#counts.delete(key);
      return;
    }
  }
}
