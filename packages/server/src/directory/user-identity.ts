import type { ApiError } from '../api-error.ts';
import type { DirectoryReader, DirectoryWriter, UserKey, UserRecord } from '../database/database.ts';

/** Makes the error of a declared code; see the operation's context. */
type Refuse<Code> = (code: Code, message: string) => ApiError;

/**
 * Which user the two optional identifiers name. An id of 0 beside a username is what typed clients send for
 * an unset number, and an empty username beside an id for an unset text; neither names anybody.
 */
export function userKeyOf(id: bigint | undefined, username: string | undefined): UserKey | undefined {
  if (id !== undefined && (id !== 0n || username === undefined)) return { id };
  return username === undefined ? undefined : { username };
}

export function describeUser(key: UserKey): string {
  return 'id' in key ? `id ${key.id}` : `username ${JSON.stringify(key.username)}`;
}

export function noSuchUser(key: UserKey, refuse: Refuse<1101>): ApiError {
  return refuse(1101, `no user has ${describeUser(key)}`);
}

/** A username beside an id must be that user's: it never renames. */
export function requireSameUsername(
  user: UserRecord,
  username: string | undefined,
  refuse: Refuse<1103>,
): void {
  if (username === undefined || username === user.username) return;
  throw refuse(
    1103,
    `user ${user.id} has another username than ${JSON.stringify(username)}; send one of the two, a username cannot be changed`,
  );
}

/** For reads: throws 1101 unless the user exists. */
export async function requireUser(
  directory: DirectoryReader,
  id: bigint,
  refuse: Refuse<1101>,
): Promise<void> {
  if (!(await directory.userExists(id))) throw noSuchUser({ id }, refuse);
}

/** For writes: keeps other writes away from the user, or throws 1101 when there is none. */
export async function lockUser(
  directory: DirectoryWriter,
  key: UserKey,
  refuse: Refuse<1101>,
): Promise<UserRecord> {
  const user = await directory.lockUser(key);
  if (user === undefined) throw noSuchUser(key, refuse);
  return user;
}
