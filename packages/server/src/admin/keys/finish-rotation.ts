import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HeldKey } from '../../applications/held-key.ts';
import { findPreviousKey } from '../../applications/master-key/find-master-key.ts';
import {
  isCopyOfKey,
  keepPreviousKey,
  removePreviousKeyFile,
} from '../../applications/master-key/replace-key-file.ts';
import { unwrittenReasons } from '../../applications/master-key/unwritten-key.ts';
import { keyIdOfProof } from '../../database/database.ts';
import { counted } from '../../words/counted.ts';
import { AdminError } from '../admin-error.ts';
import { listScheduledBackups } from '../backup/scheduled-backups.ts';
import {
  type OpenDirectory,
  type OpenDirectoryOptions,
  requireDatabase,
  useDirectory,
} from '../open-directory.ts';
import { type KeyPlace, keyPlaceOf, readKeys } from './key-place.ts';
import { describeValue, findUnsealed } from './reseal.ts';

export interface FinishOptions extends OpenDirectoryOptions {
  /** File that receives the previous key; it must not exist, unless it holds that key already. */
  readonly keepOldKey?: string;
}

export interface FinishReport {
  readonly keyId: string;
  /** Absent when the rotation had ended already and only its key file was left. */
  readonly previousKeyId?: string;
  readonly removedKeyFile: boolean;
  readonly damaged: readonly string[];
}

/**
 * Ends a rotation: drops the previous key from the database and from the data folder.
 *
 * @throws {AdminError} when there is nothing to finish, or a secret still needs the previous key
 */
export async function finishRotation(options: FinishOptions): Promise<FinishReport> {
  requireDatabase(options);
  return useDirectory({ ...options, create: false }, (directory) => finish(directory, options));
}

async function finish(
  { database, vault, actor }: OpenDirectory,
  options: FinishOptions,
): Promise<FinishReport> {
  const place = keyPlaceOf(options);
  const { current = '', next, previous } = await database.keys.stored();
  if (next !== undefined) {
    throw new AdminError('the rotation is not complete; run: fieldroster key rotate');
  }
  const { open, foreign, damaged } = await findUnsealed(database, vault);
  const needed = open.length + foreign.filter(({ keyId }) => keyId === idOf(previous)).length;
  if (needed > 0) {
    throw new AdminError(
      `${counted(needed, 'secret')} ${needed === 1 ? 'is' : 'are'} still sealed under the previous key; run: fieldroster key rotate`,
    );
  }
  if (options.keepOldKey !== undefined) {
    refuseFolderOfBackups(options.keepOldKey, (await database.backups.lastGood())?.file);
    keepOldKey(place, previous, options.keepOldKey);
  }
  const dropped = await database.keys.dropPrevious(actor);
  const removedKeyFile = place.keyFile !== undefined && removePreviousKeyFile(place.folder);
  if (!dropped && !removedKeyFile) {
    // An interrupted command may have finished it without a word.
    throw new AdminError(`there is no rotation to finish: ${keyIdOfProof(current)} is the only key`);
  }
  return {
    keyId: keyIdOfProof(current),
    ...(previous !== undefined && { previousKeyId: keyIdOfProof(previous) }),
    removedKeyFile,
    damaged: damaged.map(describeValue),
  };
}

function idOf(proof: string | undefined): string | undefined {
  return proof === undefined ? undefined : keyIdOfProof(proof);
}

/** Anyone who gets hold of the folder could otherwise open the secrets in its backups. */
function refuseFolderOfBackups(path: string, lastBackup: string | undefined): void {
  const folder = realFolderOf(path);
  if (folder === undefined) return;
  const isOfLast = lastBackup !== undefined && folder === realFolderOf(lastBackup);
  if (!isOfLast && listScheduledBackups(folder).length === 0) return;
  throw new AdminError(
    `--keep-old-key names ${path}, but backups are in the same folder, and the key opens its secrets: name a file elsewhere; nothing was dropped`,
  );
}

function realFolderOf(file: string): string | undefined {
  try {
    return realpathSync(dirname(resolve(file)));
  } catch {
    // A folder that is missing here, as one of another machine, holds no key.
    return undefined;
  }
}

function keepOldKey(place: KeyPlace, previous: string | undefined, path: string): void {
  const key = findOldKey(place, previous);
  // A command that was interrupted has kept it already.
  if (key === undefined || isCopyOfKey(key, path, place.folder)) return;
  try {
    keepPreviousKey(key, path);
  } catch (error) {
    const reason = keepingFaults[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new AdminError(
      `--keep-old-key names ${path}, but ${reason}, or name another file; nothing was dropped`,
      { cause: error },
    );
  }
}

/**
 * Returns the key that the rotation replaced; `undefined` if nothing of the rotation is left.
 *
 * @param previous its proof; absent if an interrupted command has dropped it from the database, but not its file
 */
function findOldKey(place: KeyPlace, previous: string | undefined): Uint8Array | undefined {
  if (previous === undefined)
    return place.keyFile === undefined ? undefined : findPreviousKey(place.folder, place.environment);
  const key = readKeys(place).find((each) => new HeldKey(each).accepts(previous));
  if (key !== undefined) return key;
  throw new AdminError(
    'this command does not have the previous key, so --keep-old-key cannot copy it; nothing was dropped: run it where that key is',
  );
}

const noFolder = 'its folder does not exist: create it';

/** Why the previous key cannot be kept in a file and what to do, by the system's error code. */
const keepingFaults: Readonly<Record<string, string>> = {
  ...unwrittenReasons,
  EEXIST: 'that already exists: move it elsewhere',
  ENOENT: noFolder,
  ENOTDIR: noFolder,
};
