import { dirname, join, resolve } from 'node:path';
import type { ErasedCounts, Erasure, GoodBackup } from '../database/database.ts';
import { AdminError } from './admin-error.ts';
import { addToErasureFile, erasureFile, requireErasureList } from './backup/erasure-file.ts';
import { clearRemnants, type Remnants } from './clear-remnants.ts';
import { erasedNameHash } from './erased-name-hash.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

/** The users that a name identifies: the one who has it, and deleted ones who had it. */
export interface UsersToErase {
  readonly tenantId: bigint;
  readonly username: string;
  readonly userIds: readonly bigint[];
  /** Earlier erasures of the name. */
  readonly erasedBefore: readonly Erasure[];
}

export interface ErasedUser extends ErasedCounts, Remnants {
  /** Ids of the users that this call erased. */
  readonly userIds: readonly bigint[];
  readonly erasedBefore: readonly Erasure[];
  /** Lists of erasures that now have the ids, and those erased before. */
  readonly lists: readonly string[];
  /** Lists that could not be written, with the reason. */
  readonly listsFailed: readonly string[];
  /** The last verified backup before the erasure, which still has the data. */
  readonly lastBackup: GoodBackup | undefined;
  /** Damaged files that were moved aside, and may still have texts of failed calls. */
  readonly damagedFiles: readonly string[];
}

/**
 * Finds the users whom an erasure concerns.
 *
 * @throws {AdminError} when nobody has or had the name, and nobody of that name was erased
 */
export async function findUsersToErase(
  { database, vault }: OpenDirectory,
  { tenant, username }: { readonly tenant: string; readonly username: string },
): Promise<UsersToErase> {
  const { id: tenantId } = await requireTenant(database, tenant);
  const userIds = await database.erasures.findUsers(tenantId, username);
  const hash = erasedNameHash(vault, tenantId, username);
  const erasedBefore = (await database.erasures.list()).filter(({ usernameHash }) => usernameHash === hash);
  if (userIds.length + erasedBefore.length > 0) return { tenantId, username, userIds, erasedBefore };
  throw new AdminError(
    `no user of the tenant '${tenant}' has or had the name '${username}'; names are compared exactly; check the spelling and --tenant`,
  );
}

/**
 * Erases users, and adds them to the lists of erasures, which a restore applies:
 * in the data folder, beside the last backup, and in the files given.
 * Users that were erased before are added too, as a list may have been out of reach then.
 *
 * @param data folder of the key file
 * @throws {AdminError} before it erases anything, when one of the files given is not a list of erasures, or cannot be
 *   written
 */
export async function eraseUser(
  { database, vault, actor }: OpenDirectory,
  { tenantId, username, userIds, erasedBefore }: UsersToErase,
  { data, files = [] }: { readonly data: string; readonly files?: readonly string[] },
): Promise<ErasedUser> {
  for (const file of files) await requireErasureList(resolve(file));
  // A failure after the erasure would hide what it did.
  const damagedFiles = database.erasures.damagedFiles();
  const usernameHash = erasedNameHash(vault, tenantId, username);
  const atMs = Date.now();
  const erasures = userIds.map((userId) => ({ tenantId, userId, usernameHash, atMs }));
  // Calls may have failed since an earlier erasure, or were not written yet at that time.
  const formerIds = erasedBefore.map(({ userId }) => userId);
  const counts = await database.erasures.erase(erasures, { tenantId, username, formerIds }, actor);
  const lastBackup = await database.backups.lastGood();
  const places = [resolve(data), ...(lastBackup === undefined ? [] : [dirname(lastBackup.file)])];
  const lists: string[] = [];
  const listsFailed: string[] = [];
  for (const path of new Set([
    ...places.map((folder) => join(folder, erasureFile)),
    ...files.map((file) => resolve(file)),
  ])) {
    try {
      await addToErasureFile(path, [...erasedBefore, ...erasures]);
      lists.push(path);
    } catch (error) {
      listsFailed.push(`${path}: ${faultOf(error, path)}`);
    }
  }
  return {
    ...counts,
    userIds,
    erasedBefore,
    lists,
    listsFailed,
    lastBackup,
    ...(await clearRemnants(database)),
    damagedFiles,
  };
}

/** The system's error names a temporary file instead of the list. */
function faultOf(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no folder ${dirname(path)}` : message;
}
