import { dirname, join, resolve } from 'node:path';
import type { ErasedCounts, GoodBackup } from '../database/database.ts';
import { AdminError } from './admin-error.ts';
import { addToErasureFile, erasureFile } from './backup/erasure-file.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

/** The users that a name identifies: the one who has it, and deleted ones who had it. */
export interface UsersToErase {
  readonly tenantId: bigint;
  readonly username: string;
  readonly userIds: readonly bigint[];
}

export interface ErasedUser extends ErasedCounts {
  readonly userIds: readonly bigint[];
  /** Lists of erasures that now have the ids. */
  readonly lists: readonly string[];
  /** Lists that could not be written, with the reason. */
  readonly listsFailed: readonly string[];
  /** The last verified backup before the erasure, which still has the data. */
  readonly lastBackup: GoodBackup | undefined;
}

/**
 * Finds the users whom an erasure concerns.
 *
 * @throws {AdminError} when nobody has or had the name
 */
export async function findUsersToErase(
  { database, vault }: OpenDirectory,
  { tenant, username }: { readonly tenant: string; readonly username: string },
): Promise<UsersToErase> {
  const { id: tenantId } = await requireTenant(database, tenant);
  const userIds = await database.erasures.findUsers(tenantId, username);
  if (userIds.length > 0) return { tenantId, username, userIds };
  const hash = vault.keyedHash(hashed(tenantId, username));
  const before = (await database.erasures.list()).find(({ usernameHash }) => usernameHash === hash);
  if (before !== undefined) {
    throw new AdminError(`this user was already erased at ${new Date(before.atMs).toISOString()}`);
  }
  throw new AdminError(
    `no user of the tenant '${tenant}' has or had the name '${username}'; names are compared exactly`,
  );
}

/**
 * Erases users, and adds them to the lists of erasures, which a restore applies: in the data folder, beside the last
 * backup, and in the files given.
 *
 * @param data folder of the key file
 */
export async function eraseUser(
  { database, vault, actor }: OpenDirectory,
  { tenantId, username, userIds }: UsersToErase,
  { data, files = [] }: { readonly data: string; readonly files?: readonly string[] },
): Promise<ErasedUser> {
  const usernameHash = vault.keyedHash(hashed(tenantId, username));
  const atMs = Date.now();
  const erasures = userIds.map((userId) => ({ tenantId, userId, usernameHash, atMs }));
  const counts = await database.erasures.erase(erasures, username, actor);
  const lastBackup = await database.backups.lastGood();
  const places = [resolve(data), ...(lastBackup === undefined ? [] : [dirname(lastBackup.file)])];
  const lists: string[] = [];
  const listsFailed: string[] = [];
  for (const path of new Set([
    ...places.map((folder) => join(folder, erasureFile)),
    ...files.map((file) => resolve(file)),
  ])) {
    try {
      await addToErasureFile(path, erasures);
      lists.push(path);
    } catch (error) {
      listsFailed.push(`${path}: ${faultOf(error, path)}`);
    }
  }
  return { ...counts, userIds, lists, listsFailed, lastBackup };
}

/** The error of the system names a temporary file. */
function faultOf(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no folder ${dirname(path)}` : message;
}

/** Usernames contain no line feed. */
function hashed(tenantId: bigint, username: string): string {
  return `erased\n${tenantId}\n${username}`;
}
