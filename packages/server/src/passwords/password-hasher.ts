import { availableParallelism } from 'node:os';
import { FairQueue, type JobOptions } from '../fairness/fair-queue.ts';
import type { MetricSource } from '../metrics/metric-source.ts';
import { inSpan } from '../tracing/trace.ts';
import type { HashMemory } from './hash-memory.ts';
import { hashByArgon2, makeDecoyHash } from './hashes/argon2.ts';
import { type Argon2Cost, currentCost } from './hashes/argon2-cost.ts';
import { readPasswordHash } from './hashes/read-password-hash.ts';
import { lowerPoolPriority } from './lower-pool-priority.ts';

/** At some 30 ms each, more would outlast any client's patience. */
const burstMax = 500;

/** Waiting passwords of one application for each slot, while a queue persists. */
const standingOfSlot = 5;

const slots = Math.max(2, Math.min(3, availableParallelism()));

export type { Argon2Cost };

export interface PasswordVerdict {
  readonly matches: boolean;
  /** Whether a new hash of this password should replace the stored one. */
  readonly outdated: boolean;
}

/** The application and caller for whom a password is processed. Without a group, an owner has turns of its own. */
export type PasswordOwner = Pick<JobOptions, 'owner' | 'group' | 'patient' | 'signal'>;

/**
 * Hashes and checks passwords in the thread pool. Their number is bounded, because each takes 19 MiB or more and the
 * process needs threads for its other work. Tenants take turns, and the applications of each: anybody who manages a tenant
 * can issue more applications.
 */
export class PasswordHasher {
  readonly #queue = new FairQueue({
    things: 'passwords',
    slots,
    burstMax,
    standingMax: standingOfSlot * slots,
  });
  readonly #cost: Argon2Cost;
  readonly #decoy: string;
  readonly #memory: HashMemory | undefined;

  /**
   * @param memory where hashes of much memory wait for it; without it, they do not
   * @param cost of new hashes
   */
  constructor(memory?: HashMemory, cost = currentCost) {
    this.#memory = memory;
    this.#cost = cost;
    this.#decoy = makeDecoyHash(cost);
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_queued_password_hashes',
        help: 'Passwords that wait to be hashed or checked',
        ofWorkers: 'sum',
        read: () => this.#queue.waiting,
      },
    ];
  }

  /**
   * @returns a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`
   * @throws {BusyError} when too many wait, or the owner left
   */
  hash(owner: PasswordOwner, password: string): Promise<string> {
    const job = { ...owner, costly: false };
    return inSpan('hash password', {}, () => this.#run(job, () => hashByArgon2(password, this.#cost)));
  }

  /**
   * Checks a password against a stored hash. Without one it checks against a decoy, so that timing does not reveal
   * which users exist.
   *
   * @throws {BusyError} when too many wait, there is no memory for it, or the owner left
   */
  async verify(owner: PasswordOwner, password: string, stored: string | undefined): Promise<PasswordVerdict> {
    const hash = readPasswordHash(stored ?? this.#decoy, this.#cost);
    const { passwordBytesMax = Number.POSITIVE_INFINITY } = hash;
    const job = { ...owner, costly: hash.relativeCost > 1 };
    const check = () => hash.matches(password);
    // It waits for memory in its slot: the queue of the slots has the turns of tenants and the limits on waiting.
    const checkWithMemory = () => this.#memory?.run(hash.memoryBytes ?? 0, owner.signal, check) ?? check();
    return {
      matches: await inSpan('check password', {}, () => this.#run(job, checkWithMemory)),
      outdated: hash.outdated && Buffer.byteLength(password) <= passwordBytesMax,
    };
  }

  #run<T>(job: JobOptions, work: () => Promise<T>): Promise<T> {
    return this.#queue.run({ group: job.owner, ...job }, () => {
      const done = work();
      lowerPoolPriority();
      return done;
    });
  }
}
