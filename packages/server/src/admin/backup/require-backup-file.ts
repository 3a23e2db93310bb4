import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { BackupFileError } from './backup-format.ts';

/** @throws {BackupFileError} unless it is a regular file that this user may read; a backup is read twice */
export async function requireBackupFile(path: string): Promise<void> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new BackupFileError(`${path} is a folder; name the backup in it`);
    if (!stats.isFile()) {
      throw new BackupFileError(
        `${path} is not a regular file, and a backup is read twice; copy it into one`,
      );
    }
    await access(path, constants.R_OK);
  } catch (error) {
    if (error instanceof BackupFileError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new BackupFileError(faults[code]?.(path) ?? `${path} cannot be read: ${message}`, { cause: error });
  }
}

const faults: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: describeMissing,
  ENOTDIR: describeMissing,
  EACCES: (path) =>
    `${path} may not be read by this user; run this as its owner, or change its owner or mode and those of its folder`,
};

function describeMissing(path: string): string {
  return `there is no file ${path}; correct the path`;
}
