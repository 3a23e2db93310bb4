import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How long a call may still wait for the database, and how it waits among others. Both follow from the size of its work.
 * Work within `pauseDuring`, such as hashing passwords, does not count.
 */
export class Deadline {
  /** Whether the call has so much work that others should not wait for all of it. */
  readonly bulk: boolean;
  /**
   * Whether the call may wait no matter how many others wait, because its caller has sent much and would have to send it
   * again.
   */
  readonly patient: boolean;
  /** The application that waits, by its APPID. */
  readonly owner: string;
  /** How many rounds of the queue the call costs its application; 1 for an ordinary call. */
  readonly cost: number;
  #endsAtMs: number;
  #pauses = 0;
  #pausedAtMs = 0;
  readonly #now: () => number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    totalMs: number,
    { bulk = false, patient = false, owner = '', cost = 1, now = () => performance.now() } = {},
  ) {
    this.bulk = bulk;
    this.patient = patient;
    this.owner = owner;
    this.cost = cost;
    this.#now = now;
    this.#endsAtMs = now() + totalMs;
  }

  /** Milliseconds left, at least 0. */
  get remainingMs(): number {
    const now = this.#pauses > 0 ? this.#pausedAtMs : this.#now();
    return Math.max(0, this.#endsAtMs - now);
  }

  /** Returns the deadline of a bulk write that needs more time than this one leaves. */
  extendedForBulk(moreMs: number, cost: number): Deadline {
    const { patient, owner } = this;
    const totalCost = this.bulk ? this.cost + cost : cost;
    const options = { bulk: true, patient, owner, cost: totalCost, now: this.#now };
    return new Deadline(this.remainingMs + moreMs, options);
  }

  /** Stops the clock while the work runs; several may run at once. */
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

// The deadline is not a parameter, because the query builder asks for connections without one, and one statement may
// look up the users of several calls. That statement runs under the deadline of the first call, which is the earliest.
const deadlines = new AsyncLocalStorage<Deadline>();

/** Runs work under a deadline, which bounds all its waits for the database. */
export function runUnderDeadline<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
  return deadlines.run(deadline, work);
}

/** Returns the deadline of the current call, or `undefined` for the server's own work. */
export function currentDeadline(): Deadline | undefined {
  return deadlines.getStore();
}

/** The server's own work is small, and may wait as bulk calls may. */
const turnOfServer = { owner: '', cost: 1, patient: true };

/** Returns how the current call, or the server's own work, waits among others. */
export function currentTurn(): Pick<Deadline, 'owner' | 'cost' | 'patient'> {
  return currentDeadline() ?? turnOfServer;
}

/** Returns the shorter of a wait and the time that the current deadline leaves, in milliseconds. */
export function boundedWaitMs(waitMs: number): number {
  return Math.min(waitMs, currentDeadline()?.remainingMs ?? Number.POSITIVE_INFINITY);
}
