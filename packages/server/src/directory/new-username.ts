import type { Problem } from '@fieldroster/contract/problems';
import { ApiError } from '../errors/api-error.ts';
import { findInvisible } from './invisible-character.ts';

/**
 * Returns why a username cannot be given to a new user, or `undefined` if it can.
 *
 * @param field the name of the field that holds the username in the request
 */
export function newUsernameProblem(username: string, field = 'username'): Problem | undefined {
  const character = findInvisible(username);
  return character === undefined ? undefined : { key: 'invisible', values: { field, character } };
}

/** @throws {ApiError} 1001 when a new user must not have the username; existing users keep theirs */
export function requireNewUsername(username: string): void {
  const problem = newUsernameProblem(username);
  if (problem !== undefined) throw new ApiError(1001, problem);
}
