import { argon2, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { StoreBusyError } from '../store/store.ts';

const argon2Async = promisify(argon2);

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

const saltBytes = 16;

/** Passwords that may wait to be hashed; at some 30 ms each, more would outlast any client's patience. */
const waitingMax = 500;

/**
 * Hashes passwords in the thread pool, a bounded number at once: each takes 19 MiB, and threads are left
 * over for what else the process does in the pool.
 */
export class PasswordHasher {
  readonly #limit = pLimit(Math.max(1, Math.min(3, availableParallelism())));

  /**
   * @returns a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`
   * @throws {StoreBusyError} when too many wait
   */
  async hash(password: string): Promise<string> {
    if (this.#limit.pendingCount >= waitingMax) {
      throw new StoreBusyError(`${waitingMax} passwords wait to be hashed already`);
    }
    const nonce = randomBytes(saltBytes);
    const tag = await this.#limit(() => argon2Async('argon2id', { message: password, nonce, ...cost }));
    const { memory, passes, parallelism } = cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
  }
}

/** Base64 as the PHC string format has it. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
