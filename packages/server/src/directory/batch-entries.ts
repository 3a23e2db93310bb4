import { type CheckedEntry, type Input, limits, type Operations } from '@fieldroster/contract';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { ApiError } from '../errors/api-error.ts';
import { PasswordHashError } from '../passwords/hashes/password-hash.ts';
import { requireAcceptableHash } from '../passwords/hashes/read-password-hash.ts';
import { nextSlice, TimeSlice } from '../slices/time-slice.ts';
import { profileChangesOf } from './profile-changes.ts';
import type { UserEntry } from './user-entry.ts';

type SentEntry =
  Input<Operations['batchUsers']>['users'][number] extends CheckedEntry<infer Value> ? Value : never;

/**
 * An entry whose fields are valid. A later step checks whether the role, the organization and the stores that it names
 * exist.
 */
export interface BatchEntry extends UserEntry {
  /** Position in the request, from 0. */
  readonly index: number;
  /** The password in plain text, not hashed yet. */
  readonly password?: string;
}

export interface RefusedEntry {
  readonly index: number;
  readonly username: string;
  readonly code: 1001 | 1201 | 1301 | 1401;
  readonly message: string;
  /** The message as data, for the console. */
  readonly fault?: Problem | undefined;
}

/**
 * Separates the entries that can be processed from those that are invalid by themselves.
 *
 * @throws {ApiError} 1001 when more entries have a password than one request may contain
 */
export async function readBatch(users: readonly CheckedEntry<SentEntry>[]) {
  const timeSlice = new TimeSlice(nextSlice);
  const entries: BatchEntry[] = [];
  const refused: RefusedEntry[] = [];
  const indexOf = new Map<string, number>();
  for (const [index, checked] of users.entries()) {
    const problem = problemOf(checked, index, indexOf);
    if ('value' in checked && problem === undefined) entries.push(toEntry(checked.value, index));
    else refused.push({ index, username: nameOf(checked), code: 1001, message: '', ...problem });
    if (timeSlice.isOver()) await timeSlice.next();
  }
  requireFewPasswords(entries);
  return { entries, refused };
}

export function usernamesOf(entries: readonly BatchEntry[]): string[] {
  return entries.map(({ username }) => username);
}

/** Returns an entry's problem, and records the first entry of each username for later ones to refer to. */
function problemOf(
  checked: CheckedEntry<SentEntry>,
  index: number,
  indexOf: Map<string, number>,
): EntryProblem | undefined {
  if ('problem' in checked) return { message: checked.problem, fault: checked.fault };
  const { username, password, password_hash } = checked.value;
  const first = indexOf.get(username);
  if (first !== undefined)
    return {
      message: `users[${index}].username is the same as users[${first}].username; send each user once`,
    };
  indexOf.set(username, index);
  if (!password_hash) return undefined;
  if (password) return toProblem({ key: 'twoPasswords', values: { field: `users[${index}]` } });
  return problemOfHash(password_hash, `users[${index}].password_hash`);
}

type EntryProblem = Pick<RefusedEntry, 'message' | 'fault'>;

function toProblem(fault: Problem): EntryProblem {
  return { message: problemInEnglish(fault), fault };
}

function problemOfHash(hash: string, field: string): EntryProblem | undefined {
  try {
    requireAcceptableHash(hash);
    return undefined;
  } catch (error) {
    if (error instanceof PasswordHashError)
      return toProblem({ key: 'refusedHash', values: { field, hash: error.problem } });
    throw error;
  }
}

function toEntry(value: SentEntry, index: number): BatchEntry {
  const { username, password, password_hash, role_id, org_id, store_codes } = value;
  return {
    index,
    username,
    sent: { ...profileChangesOf(value), ...(password_hash && { passwordHash: password_hash }) },
    ...(password && { password }),
    // Typed clients send 0 for an id that is not set.
    ...(role_id && { roleId: role_id }),
    ...(org_id && { orgId: org_id }),
    ...(store_codes !== undefined && { storeCodes: [...new Set(store_codes)] }),
  };
}

/** Returns the entry's username. In an invalid entry, the username may be invalid too. */
function nameOf(checked: CheckedEntry<SentEntry>): string {
  if ('value' in checked) return checked.value.username;
  const { username } = Object(checked.given) as { username?: unknown };
  return typeof username === 'string' ? username.slice(0, limits.usernameCharactersMax).toWellFormed() : '';
}

function requireFewPasswords(entries: readonly BatchEntry[]): void {
  const count = entries.filter(({ password }) => password !== undefined).length;
  if (count <= limits.batchPasswordsMax) return;
  throw new ApiError(
    1001,
    `users may have at most ${limits.batchPasswordsMax} entries with a password; it has ${count}: send password_hash, or several requests`,
  );
}
