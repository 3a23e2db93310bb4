import type { Database, GoodBackup } from '../../database/database.ts';
import { type OpenDirectoryOptions, openWithoutKey } from '../open-directory.ts';
import type { BackupReport } from './make-backup.ts';

/**
 * Returns the last backup that was read back and found good, for metrics, alerts and `doctor`; `undefined` before the
 * first.
 */
export function lastGoodBackup({ backups }: Pick<Database, 'backups'>): Promise<GoodBackup | undefined> {
  return backups.lastGood();
}

/** Records a verified backup in the database that it was made from. */
export async function recordGoodBackup(
  place: OpenDirectoryOptions,
  { file, bytes, manifest }: BackupReport,
): Promise<void> {
  const database = await openWithoutKey({ ...place, migrate: false });
  try {
    await database.backups.recordGood({ file, bytes, atMs: Date.parse(manifest.at) });
  } finally {
    await database.close();
  }
}
