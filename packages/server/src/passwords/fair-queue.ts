import { DatabaseBusyError } from '../database/database.ts';

/** The owner of the work, and its cost. */
export interface Turn {
  readonly tenantId: bigint;
  /** True for work that takes longer than hashing a new password. */
  readonly costly: boolean;
  /** Aborts when nobody waits for the result. */
  readonly signal?: AbortSignal | undefined;
}

/** Starts the work. */
type Job = () => void;

export interface FairQueueOptions {
  /** Number of jobs that run at once; at least 2. */
  readonly slots: number;
  /** Waiting jobs per tenant; further ones are refused. */
  readonly waitingOfTenantMax: number;
}

/**
 * Runs a bounded number of jobs at once and lets tenants take turns. Costly jobs never take the last slot, so an
 * ordinary job waits only for ordinary ones, however many costly ones there are.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lanes = { costly: new Lane(), ordinary: new Lane() };
  #running = 0;
  #costlyRunning = 0;

  constructor(options: FairQueueOptions) {
    if (options.slots < 2) throw new RangeError('one slot of two or more must stay free of costly jobs');
    this.#options = options;
  }

  /**
   * @throws {DatabaseBusyError} when too many of the tenant's jobs wait, or the signal aborts before this one starts
   */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const { tenantId, costly, signal } = turn;
    if (signal?.aborted) return Promise.reject(callerGone());
    if (this.#waitingOf(tenantId) >= this.#options.waitingOfTenantMax) {
      const waiting = `${this.#options.waitingOfTenantMax} passwords of this tenant are already waiting`;
      return Promise.reject(new DatabaseBusyError(waiting));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const lane = costly ? this.#lanes.costly : this.#lanes.ordinary;
    const leave = () => {
      lane.remove(tenantId, job);
      reject(callerGone());
    };
    const job: Job = () => {
      signal?.removeEventListener('abort', leave);
      work()
        .then(resolve, reject)
        .finally(() => this.#end(costly));
    };
    signal?.addEventListener('abort', leave, { once: true });
    lane.add(tenantId, job);
    this.#startNext();
    return promise;
  }

  /** Jobs of all tenants that wait for a slot. */
  get waiting(): number {
    return this.#lanes.costly.waiting + this.#lanes.ordinary.waiting;
  }

  #waitingOf(tenantId: bigint): number {
    return this.#lanes.costly.waitingOf(tenantId) + this.#lanes.ordinary.waitingOf(tenantId);
  }

  #startNext(): void {
    const { costly, ordinary } = this.#lanes;
    while (this.#running < this.#options.slots) {
      const costlyJob = this.#costlyRunning < this.#options.slots - 1 ? costly.take() : undefined;
      const job = costlyJob ?? ordinary.take();
      if (job === undefined) return;
      this.#running += 1;
      if (costlyJob !== undefined) this.#costlyRunning += 1;
      job();
    }
  }

  #end(costly: boolean): void {
    this.#running -= 1;
    if (costly) this.#costlyRunning -= 1;
    this.#startNext();
  }
}

/** Waiting jobs by tenant. A map keeps the order of its keys, which is the order of the tenants' turns. */
class Lane {
  readonly #waiting = new Map<bigint, Set<Job>>();

  get waiting(): number {
    let sum = 0;
    for (const jobs of this.#waiting.values()) sum += jobs.size;
    return sum;
  }

  waitingOf(tenantId: bigint): number {
    return this.#waiting.get(tenantId)?.size ?? 0;
  }

  add(tenantId: bigint, job: Job): void {
    const jobs = this.#waiting.get(tenantId);
    if (jobs === undefined) this.#waiting.set(tenantId, new Set([job]));
    else jobs.add(job);
  }

  remove(tenantId: bigint, job: Job): void {
    const jobs = this.#waiting.get(tenantId);
    jobs?.delete(job);
    if (jobs?.size === 0) this.#waiting.delete(tenantId);
  }

  /** Takes the first job of the next tenant, and moves that tenant behind the others. */
  take(): Job | undefined {
    for (const [tenantId, jobs] of this.#waiting) {
      this.#waiting.delete(tenantId);
      for (const job of jobs) {
        jobs.delete(job);
        if (jobs.size > 0) this.#waiting.set(tenantId, jobs);
        return job;
      }
    }
    return undefined;
  }
}

function callerGone(): DatabaseBusyError {
  return new DatabaseBusyError('the caller disconnected while its password waited');
}
