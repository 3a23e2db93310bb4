import { basename, dirname, resolve } from 'node:path';
import { createSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { findSqliteFaults } from '../../database/sqlite/inspection/database-faults.ts';
import { BackupFileError, type BackupManifest } from './backup-format.ts';
import { withDraftFolder } from './draft-folder.ts';
import { loadBackup } from './load-backup.ts';
import { requireBackupFile } from './require-backup-file.ts';

/**
 * Restores a backup of either engine into a temporary embedded database beside it, compares every row with the
 * manifest, and checks the integrity of the result. Removes the temporary database.
 *
 * @throws {BackupFileError} when the file cannot be restored
 */
export async function verifyBackup(file: string): Promise<BackupManifest> {
  const path = resolve(file);
  await requireBackupFile(path);
  const draft = {
    name: `${basename(path)}.verify`,
    what: 'a restored copy of the backup',
    instead: 'copy the backup into another folder and check that copy',
  };
  return withDraftFolder(dirname(path), draft, async ({ held: folder }) => {
    const { target, manifest } = await loadBackup(path, (_header, known) =>
      createSqliteTarget(folder, known),
    );
    try {
      await target.commit();
    } finally {
      await target.close();
    }
    requireIntact(folder, path);
    return manifest;
  });
}

/** @throws {BackupFileError} when the database in the folder is damaged, or a row refers to a missing one */
export function requireIntact(folder: string, file: string): void {
  const faults = findSqliteFaults(folder);
  if (faults.length === 0) return;
  throw new BackupFileError(
    `the database that ${file} restores has faults: ${faults.join('; ')}; use another backup`,
  );
}
