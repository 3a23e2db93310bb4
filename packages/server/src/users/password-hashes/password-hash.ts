/** A stored hash that was understood; how it was made stays within. */
export interface PasswordHash {
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
