import { invisibleCharacters } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import { ApiError } from '../errors/api-error.ts';

const invisible = new Set(invisibleCharacters);

/**
 * Returns why a username cannot be given to a new user, or `undefined` if it can.
 *
 * @param field the name of the username in the request
 */
export function newUsernameProblem(username: string, field = 'username'): Problem | undefined {
  for (const character of username) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!invisible.has(codePoint)) continue;
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
    return { key: 'invisible', values: { field, character: name } };
  }
  return undefined;
}

/** @throws {ApiError} 1001 when a new user must not have the username; existing users keep theirs */
export function requireNewUsername(username: string): void {
  const problem = newUsernameProblem(username);
  if (problem !== undefined) throw new ApiError(1001, problem);
}
