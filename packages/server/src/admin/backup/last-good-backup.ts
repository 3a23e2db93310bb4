import type { Database, GoodBackup } from '../../database/database.ts';
import { AdminError } from '../admin-error.ts';
import { type OpenDirectoryOptions, openDatabaseAlone } from '../open-directory.ts';
import type { BackupReport } from './make-backup.ts';

/**
 * Returns the last backup that was read back and found good, for metrics, alerts and `doctor`; `undefined` before the
 * first.
 */
export function lastGoodBackup({ backups }: Pick<Database, 'backups'>): Promise<GoodBackup | undefined> {
  return backups.lastGood();
}

/**
 * Records a verified backup in the database that it was made from.
 *
 * @throws {AdminError} when the database cannot be written; the backup is good nevertheless
 */
export async function recordGoodBackup(place: OpenDirectoryOptions, report: BackupReport): Promise<void> {
  try {
    await record(place, report);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AdminError(
      `${report.file} is complete and verified, but the database could not record it: ${message}; keep the file; alerts ` +
        'do not count it until a later one is recorded',
      { cause },
    );
  }
}

async function record(place: OpenDirectoryOptions, { file, bytes, manifest }: BackupReport): Promise<void> {
  const database = await openDatabaseAlone(place);
  try {
    await database.backups.recordGood({ file, bytes, atMs: Date.parse(manifest.at) });
  } finally {
    await database.close();
  }
}
