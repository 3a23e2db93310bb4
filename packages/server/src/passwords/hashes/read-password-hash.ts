import { readArgon2 } from './argon2.ts';
import { currentCost } from './argon2-cost.ts';
import { readBcrypt } from './bcrypt.ts';
import { type PasswordHash, PasswordHashError } from './password-hash.ts';
import { readPbkdf2 } from './pbkdf2.ts';
import { readScrypt } from './scrypt.ts';

const readers = [readArgon2, readBcrypt, readScrypt, readPbkdf2];

/**
 * Parses a stored hash.
 *
 * @param newCost cost of new hashes: a stored one that costs less is outdated
 * @throws {PasswordHashError} for any other text, and for a hash whose check would cost far too much
 */
export function readPasswordHash(text: string, newCost = currentCost): PasswordHash {
  for (const read of readers) {
    const hash = read(text, newCost);
    if (hash !== undefined) return hash;
  }
  throw new PasswordHashError({ key: 'unknownKind', values: {} });
}

/** @throws {PasswordHashError} for a string that is not a hash, or a hash whose check costs more than a new one may */
export function requireAcceptableHash(text: string): void {
  const { costProblem } = readPasswordHash(text);
  if (costProblem !== undefined) throw new PasswordHashError(costProblem);
}
