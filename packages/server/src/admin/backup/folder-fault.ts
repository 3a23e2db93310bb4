import { statSync } from 'node:fs';
import {
  DatabaseFileError,
  explainLimit,
  saidOfFullDisk,
} from '../../database/sqlite/files/database-file-error.ts';
import { AdminError } from '../admin-error.ts';

/**
 * Turns an error of a folder or its disk into an `AdminError` that names the folder and says what to do; returns others
 * unchanged. SQLite's own message about a full disk reads as if it were the disk of the directory.
 *
 * @param what names the thing to be written there, such as "the backup"
 * @param instead what to do instead of changing the folder
 */
export function explainFolderFault(
  error: unknown,
  folder: string,
  what: string,
  instead = 'choose another folder',
): unknown {
  // A DatabaseFileError already names its file, which is not in this folder.
  if (error instanceof DatabaseFileError) return error;
  const explain = explanations[(error as NodeJS.ErrnoException).code ?? ''];
  const said = saidOfFullDisk(error);
  if (said !== undefined) {
    const message = `there is no room for ${what} in ${folder} (${said}): make room, or choose another disk`;
    return new AdminError(message, { cause: error });
  }
  const limit = explainLimit(error, folder);
  if (limit !== undefined) return new AdminError(`${what} in ${folder} ${limit}`, { cause: error });
  if (explain === undefined) return error;
  const message = `${what} cannot be written in ${folder}, because ${explain(folder)}, or ${instead}`;
  return new AdminError(message, { cause: error });
}

const explanations: Readonly<Record<string, (folder: string) => string>> = {
  EACCES: describeDenied,
  EPERM: describeDenied,
  EROFS: () => 'its file system is read-only: mount it for writing',
  ENOTDIR: () => 'it is a file: correct the path',
  ENOENT: describeMissing,
  ELOOP: () => 'its links lead in a circle: correct them',
};

/** A folder that exists, such as `/proc`, gives this error too if its file system takes no new files. */
function describeMissing(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined
    ? 'it is gone: create it'
    : 'the system lets nobody create files there: correct the path';
}

function describeDenied(folder: string): string {
  const user = process.getuid?.();
  if (user === undefined) return 'this user may not write there: change the permissions of the folder';
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  const instead =
    owner === undefined || owner === user ? 'change its mode' : `run this as its owner (id ${owner})`;
  return `this user (id ${user}) may not write there: ${instead}`;
}
