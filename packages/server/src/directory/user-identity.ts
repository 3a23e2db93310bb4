import { limits } from '@fieldroster/contract';
import type {
  DirectoryReader,
  DirectoryWriter,
  UserKey,
  UserRecord,
  UserToChange,
} from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { quoteVisibly } from './quote-visibly.ts';

/** Creates the error for a code that the operation declares, like `refuse` in its context. */
type Refuse<Code> = (code: Code, message: string) => ApiError;

/**
 * Returns the user named by the two optional identifiers. Typed clients send an id of 0 for an unset number and an
 * empty username for an unset string; beside the other identifier, neither names anybody.
 */
export function userKeyOf(id: bigint | undefined, username: string | undefined): UserKey | undefined {
  if (id !== undefined && (id !== 0n || username === undefined)) return { id };
  return username === undefined ? undefined : { username };
}

/**
 * Operations call the id `id` or `user_id`. Some ignore the other name as an unknown field, so the message says which
 * one to send.
 */
export function identifierRequired(idName: 'id' | 'user_id'): ApiError {
  const other = idName === 'id' ? 'user_id' : 'id';
  return new ApiError(
    1001,
    `${idName} or username is required; here the id is sent as ${idName}, not as ${other}`,
  );
}

function describeUser(key: UserKey): string {
  return 'id' in key ? `id ${key.id}` : `username ${quoteVisibly(key.username)}`;
}

export function noSuchUser(key: UserKey, refuse: Refuse<1101>): ApiError {
  return refuse(1101, `no user has ${describeUser(key)}`);
}

/** Throws 1103 unless a username sent with an id is that user's: it never renames. */
export function requireSameUsername(
  user: UserRecord,
  username: string | undefined,
  refuse: Refuse<1103>,
): void {
  if (username === undefined || username === user.username) return;
  throw refuse(
    1103,
    `user ${user.id} does not have the username ${quoteVisibly(username)}; send one of the two, because a username cannot be changed`,
  );
}

/** Throws 1101 unless the user exists; for reads. */
export async function requireUser(
  directory: DirectoryReader,
  id: bigint,
  refuse: Refuse<1101>,
): Promise<void> {
  if (!(await directory.userExists(id))) throw noSuchUser({ id }, refuse);
}

/**
 * Counts the user's stores, up to one more than a request may list, to tell how much work their removal is.
 * `DirectoryLists` could count them by id, but it may read a replica, and a write should not wait for one.
 */
export async function countStoresOf(directory: DirectoryReader, key: UserKey): Promise<number> {
  const username = 'id' in key ? (await directory.findUser(key))?.username : key.username;
  if (username === undefined) return 0;
  const counts = await directory.users.countStores([username], limits.storeCodesMax);
  return counts.get(username) ?? 0;
}

/** Locks the user against other writes, or throws 1101 if it does not exist; for writes. */
export async function lockUser(
  directory: DirectoryWriter,
  key: UserKey,
  refuse: Refuse<1101>,
): Promise<UserToChange> {
  const user = await directory.lockUser(key);
  if (user === undefined) throw noSuchUser(key, refuse);
  return user;
}
