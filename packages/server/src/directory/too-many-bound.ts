import { limits } from '@fieldroster/contract';
import { counted } from '../words/counted.ts';

/** The number of users that one removal can unbind, and so the number up to which they are counted. */
export const boundUsersMax = limits.forcedUnbindsMax;

/** A role, an organization or a store to remove. */
export interface Removal {
  /** For example, `role 7`. */
  readonly name: string;
  /** Advice about the users beyond the limit, for example `give the rest another role first`. */
  readonly moveRest: string;
  /** How many users are bound to it, up to one more than {@link boundUsersMax}. */
  readonly users: number;
  /** Whether the caller wants the users unbound. */
  readonly force: boolean;
}

/**
 * Returns why a role, an organization or a store cannot be removed while users are bound to it; `undefined` if it can.
 */
export function tooManyBound({ name, moveRest, users, force }: Removal): string | undefined {
  if (users > boundUsersMax)
    return `${name} has ${countedUsers(users)}; force=true unbinds at most ${boundUsersMax}: ${moveRest}, by POST /users/batch`;
  if (users === 0 || force) return undefined;
  return `${name} has ${countedUsers(users)}; unbind them first, or send force=true`;
}

/** Says a number that was counted up to one more than {@link boundUsersMax}. */
export function countedUsers(users: number): string {
  return users > boundUsersMax ? `more than ${boundUsersMax} users` : counted(users, 'user');
}
