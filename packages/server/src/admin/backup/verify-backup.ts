import { basename, dirname, resolve } from 'node:path';
import { createSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { findSqliteFaults } from '../../database/sqlite/database-faults.ts';
import { BackupFileError, type BackupManifest } from './backup-format.ts';
import { makeDraftFolder } from './draft-folder.ts';
import { loadBackup } from './load-backup.ts';

/**
 * Restores a backup of either engine into a temporary embedded database beside it, compares every row with the
 * manifest, and checks the integrity of the result. Removes the temporary database.
 *
 * @throws {BackupFileError} when the file cannot be restored
 */
export async function verifyBackup(file: string): Promise<BackupManifest> {
  const path = resolve(file);
  const draft = makeDraftFolder(dirname(path), `${basename(path)}.verify`);
  try {
    const { target, manifest } = await loadBackup(path, (_header, known) =>
      createSqliteTarget(draft.path, known),
    );
    try {
      await target.commit();
    } finally {
      await target.close();
    }
    requireIntact(draft.path, path);
    return manifest;
  } finally {
    draft.remove();
  }
}

/** @throws {BackupFileError} when the database in the folder is damaged, or a row refers to a missing one */
export function requireIntact(folder: string, file: string): void {
  const faults = findSqliteFaults(folder);
  if (faults.length === 0) return;
  throw new BackupFileError(
    `the database that ${file} restores has faults: ${faults.join('; ')}; use another backup`,
  );
}
