/** A stored hash that was understood; how it was made stays within. */
export interface PasswordHash {
  /** What one check costs, compared with the check of a hash as this server makes them. */
  readonly relativeCost: number;
  /** Why a new hash may not cost this much, with the value found and the limit; absent for an acceptable one. */
  readonly costProblem?: string;
  /**
   * How many bytes of a password the hash depends on; absent where it depends on all of them. A longer password
   * that matches may differ from the true one, and so must never take its place.
   */
  readonly passwordBytesMax?: number;
  /** Whether the current way of hashing is stronger, so that the hash is to be replaced when it can be. */
  readonly outdated: boolean;
  matches(password: string): Promise<boolean>;
}

/**
 * Reads the hashes of one kind.
 *
 * @returns undefined for a text that is not of the kind at all
 * @throws {PasswordHashError} for one of the kind that is not accepted
 */
export type PasswordHashReader = (text: string) => PasswordHash | undefined;

/** A hash is not accepted. The message says what would be, and repeats nothing of the hash. */
export class PasswordHashError extends Error {
  override readonly name = 'PasswordHashError';
}
