import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How long a call may still wait for the database. Time that the call spends on its own work, such as hashing
 * passwords, does not count.
 */
export class Deadline {
  /** Whether the call has more work than most: others should not have to wait for all of it. */
  readonly bulk: boolean;
  #endsAtMs: number;
  #pauses = 0;
  #pausedAtMs = 0;
  readonly #now: () => number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(totalMs: number, { bulk = false, now = () => performance.now() } = {}) {
    this.bulk = bulk;
    this.#now = now;
    this.#endsAtMs = now() + totalMs;
  }

  /** Milliseconds that are left; 0 when there are none. */
  get remainingMs(): number {
    const now = this.#pauses > 0 ? this.#pausedAtMs : this.#now();
    return Math.max(0, this.#endsAtMs - now);
  }

  /** Stops the clock during the work; several works may run at once. */
  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pauses === 0) this.#pausedAtMs = this.#now();
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#endsAtMs += this.#now() - this.#pausedAtMs;
    }
  }
}

// Not a parameter: the query builder asks for connections without one, and one statement looks up the users of
// several calls. Such a statement runs under the deadline of the call that came first, which is the earliest.
const deadlines = new AsyncLocalStorage<Deadline>();

/** Runs work whose waits for the database all end by the deadline. */
export function runUnderDeadline<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
  return deadlines.run(deadline, work);
}

/** The deadline of the call under way; there is none for work that the server does by itself. */
export function currentDeadline(): Deadline | undefined {
  return deadlines.getStore();
}

/** The shorter of a wait and what the current deadline leaves, in milliseconds. */
export function boundedWaitMs(waitMs: number): number {
  return Math.min(waitMs, currentDeadline()?.remainingMs ?? Number.POSITIVE_INFINITY);
}
