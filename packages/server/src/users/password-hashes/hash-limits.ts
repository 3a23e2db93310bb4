import { PasswordHashError } from './password-hash.ts';

/**
 * What the check of one password may cost. Without these, whoever may import a hash could make each check
 * take minutes or all of the memory.
 */
export const hashLimits = {
  memoryMebibytes: 256,
  argon2Passes: 10,
  argon2Lanes: 16,
  bcryptCost: 14,
  /** N · r · p. */
  scryptWork: 2 ** 22,
  pbkdf2Iterations: 2_000_000,
} as const;

export const mebibyte = 1024 * 1024;

/** @throws {PasswordHashError} when the value is beyond the limit, or no positive integer */
export function requireAtMost(value: number, max: number, what: string): void {
  if (value >= 1 && value <= max) return;
  throw new PasswordHashError(`${what} must be from 1 to ${max}`);
}
