import type { HashCost, HashProblem } from '@fieldroster/contract/problems';
import { type PasswordHash, PasswordHashError } from './password-hash.ts';

interface CostLimit {
  /** For a new hash; costlier ones would let a caller keep the server busy with every login. */
  readonly written: number;
  /** For a stored hash, which an earlier release may have accepted; costlier ones are never computed. */
  readonly stored: number;
}

/** Limits on the cost of one password check. */
export const costLimits = {
  bcryptCost: { written: 12, stored: 14 },
  /** N · r · p. */
  scryptWork: { written: 2 ** 20, stored: 2 ** 22 },
  /** Iterations, times the number of blocks of the digest's length. */
  pbkdf2Iterations: { written: 1_200_000, stored: 8_000_000 },
  /** m · t, in KiB. */
  argon2Work: { written: 256 * 1024, stored: 10 * 256 * 1024 },
} as const satisfies Record<string, CostLimit>;

/** Limits for both written and stored hashes. */
export const hashLimits = { memoryMebibytes: 256, argon2Passes: 10, argon2Lanes: 16 } as const;

/** @throws {PasswordHashError} when the value exceeds the limit or is less than 1 */
export function requireAtMost(value: number, max: number, cost: HashCost): void {
  if (value < 1 || value > max) throw new PasswordHashError(outOfRange({ cost, value, max }));
}

/**
 * Returns the `costProblem` of a hash with this cost, if any.
 *
 * @throws {PasswordHashError} when the cost exceeds even the limit for stored hashes
 */
export function checkCost(
  value: number,
  limit: CostLimit,
  of: { readonly cost: HashCost; readonly min?: number; readonly blocks?: number },
): Pick<PasswordHash, 'costProblem'> {
  const { min = 1 } = of;
  if (value >= min && value <= limit.written) return {};
  const costProblem = outOfRange({ ...of, value, max: limit.written });
  if (value < min || value > limit.stored) throw new PasswordHashError(costProblem);
  return { costProblem };
}

type OutOfRange = Extract<HashProblem, { key: 'costOutOfRange' }>;

function outOfRange(values: OutOfRange['values']): OutOfRange {
  return { key: 'costOutOfRange', values };
}
