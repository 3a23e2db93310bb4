import { invisibleCharacters } from '@fieldroster/contract';
import { ApiError } from '../api-error.ts';

const invisible = new Set(invisibleCharacters);

/** Says what keeps a username from being given to a new user, or returns `undefined`. */
export function newUsernameProblem(username: string): string | undefined {
  for (const character of username) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!invisible.has(codePoint)) continue;
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
    return `has the invisible character ${name}, which the username of a new user must not have`;
  }
  return undefined;
}

/** @throws {ApiError} 1001 when no new user may have the username; existing users keep theirs */
export function requireNewUsername(username: string): void {
  const problem = newUsernameProblem(username);
  if (problem !== undefined) throw new ApiError(1001, `username ${problem}`);
}
