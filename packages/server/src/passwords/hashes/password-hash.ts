import { type HashProblem, hashProblemInEnglish } from '@fieldroster/contract/problems';
import type { Argon2Cost } from './argon2-cost.ts';

/** A parsed stored hash. */
export interface PasswordHash {
  /** Cost of one check, relative to a hash made by this server. */
  readonly relativeCost: number;
  /** Memory that one check takes, in bytes; absent if little. */
  readonly memoryBytes?: number;
  /** Why a new hash must not cost this much, with its value and the limit; absent if the cost is acceptable. */
  readonly costProblem?: HashProblem;
  /**
   * How many bytes of a password the hash depends on; absent if on all. A longer password that matches may differ from
   * the true one, so it must never replace it.
   */
  readonly passwordBytesMax?: number;
  /** Whether current hashing is stronger, so that the hash should be replaced when possible. */
  readonly outdated: boolean;
  matches(password: string): Promise<boolean>;
}

/**
 * Parses hashes of one kind.
 *
 * @param newCost cost of new hashes: a stored one that costs less is outdated
 * @returns undefined for a hash of another kind
 * @throws {PasswordHashError} for a hash of this kind that is not accepted
 */
export type PasswordHashReader = (text: string, newCost: Argon2Cost) => PasswordHash | undefined;

/** Thrown for a hash that is not accepted. The message says what is, without repeating the hash. */
export class PasswordHashError extends Error {
  override readonly name = 'PasswordHashError';
  readonly problem: HashProblem;

  constructor(problem: HashProblem) {
    super(hashProblemInEnglish(problem));
    this.problem = problem;
  }
}
