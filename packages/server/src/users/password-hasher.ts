import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { StoreBusyError } from '../store/store.ts';
import { hashByArgon2, makeUnmatchableHash } from './password-hashes/argon2.ts';
import { readPasswordHash } from './password-hashes/read-password-hash.ts';

/** Passwords that may wait their turn; at some 30 ms each, more would outlast any client's patience. */
const waitingMax = 500;

export interface PasswordVerdict {
  readonly matches: boolean;
  /** Whether the hash was made in a weaker way than new ones are. */
  readonly outdated: boolean;
}

/**
 * Hashes and checks passwords in the thread pool, a bounded number at once: each takes 19 MiB or more, and
 * threads are left over for what else the process does in the pool.
 */
export class PasswordHasher {
  readonly #limit = pLimit(Math.max(1, Math.min(3, availableParallelism())));
  readonly #unmatchable = makeUnmatchableHash();

  /**
   * @returns a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`
   * @throws {StoreBusyError} when too many wait
   */
  hash(password: string): Promise<string> {
    return this.#take(() => hashByArgon2(password));
  }

  /**
   * Checks a password against a stored hash. Without a hash it takes the same work, so that nobody learns
   * from the time which users there are.
   *
   * @throws {StoreBusyError} when too many wait
   */
  async verify(password: string, stored: string | undefined): Promise<PasswordVerdict> {
    const hash = readPasswordHash(stored ?? this.#unmatchable);
    return { matches: await this.#take(() => hash.matches(password)), outdated: hash.outdated };
  }

  async #take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#limit.pendingCount >= waitingMax) {
      throw new StoreBusyError(`${waitingMax} passwords wait already`);
    }
    return this.#limit(work);
  }
}
