import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { CopySession } from '../../database/copy-session.ts';
import type { Erasure } from '../../database/database.ts';
import {
  ForeignTablesError,
  migrate,
  migrateInTransaction,
  SchemaError,
} from '../../database/migrations/migrate.ts';
import { type Migrations, migrations } from '../../database/migrations/migrations.ts';
import { parseDatabaseUrl } from '../../database/postgres/connections/database-url.ts';
import { holdsDirectory } from '../../database/queries/imports/copy-tables.ts';
import { createSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { forgetDeletedUsers } from '../../database/sqlite/user-search.ts';
import { AdminError } from '../admin-error.ts';
import { requireVerified } from '../open-directory.ts';
import type { BackupManifest } from './backup-format.ts';
import { describeStaleStatistics, tryLastStep } from './end-filling.ts';
import { addToErasureFile, erasureFile } from './erasure-file.ts';
import { fillFolder, requireEmptyFolder } from './fill-folder.ts';
import { adviseOnOwner } from './folder-owner.ts';
import { giveToFolderOwner } from './give-to-folder-owner.ts';
import { loadBackup } from './load-backup.ts';
import { requireBackupFile } from './require-backup-file.ts';
import { requireStoppedTarget } from './require-stopped-servers.ts';
import {
  commitOrClose,
  type LastSteps,
  lastSteps,
  type RestoreOptions,
  type RestoreOutcome,
  type RestoreTarget,
  readErasureLists,
} from './restore-steps.ts';
import { requireIntact } from './verify-backup.ts';

export interface RestoreReport {
  readonly location: string;
  readonly manifest: BackupManifest;
  readonly finish: RestoreOutcome;
  /** What could not be done after the database was restored, and what to do about it. */
  readonly warnings: readonly string[];
  /** The command that lets the server use the restored files; absent if none is needed. */
  readonly ownerCommand?: string;
}

const restoring = { name: 'restore', verb: 'restore', what: 'the restored database' };

/**
 * Restores a backup into an empty folder or database. If anything fails, the target is as it was before.
 *
 * @throws {AdminError} when the target holds data, or servers run on it
 * @throws {BackupFileError} when the file cannot be restored
 * @throws {MasterKeyError} when the target has another master key than the backup
 */
export async function restoreBackup(
  file: string,
  target: RestoreTarget,
  { erasureFiles = [] }: RestoreOptions = {},
): Promise<RestoreReport> {
  const path = resolve(file);
  const folder = resolve(target.data);
  await requireBackupFile(path);
  if (!target.database) requireEmptyFolder(folder, restoring);
  const lists = await readErasureLists([dirname(path), folder], erasureFiles);
  const steps = lastSteps(target, lists);
  const report = await (target.database
    ? restoreToPostgres(path, { ...target, database: target.database }, steps)
    : restoreToFolder(path, folder, steps));
  if (target.database) return report;
  const list = join(folder, erasureFile);
  const warnings = await tryLastStep(
    () => addToList(list, folder, report.finish.erasuresConcerning),
    (message) =>
      `the list of erasures ${list} could not be written (${message}), so it may lack erasures that the database has: ` +
      'copy the list from beside the backup into the folder',
  );
  const ownerCommand = adviseOnOwner(folder);
  return { ...report, warnings, ...(ownerCommand !== undefined && { ownerCommand }) };
}

async function addToList(list: string, folder: string, erasures: readonly Erasure[]): Promise<void> {
  await addToErasureFile(list, erasures);
  if (existsSync(list)) await giveToFolderOwner(list, folder);
}

async function restoreToFolder(file: string, folder: string, steps: LastSteps): Promise<RestoreReport> {
  const report = await fillFolder(folder, restoring, async (draft) => {
    const { target, manifest } = await loadBackup(file, (_header, known) => createSqliteTarget(draft, known));
    const finish = await commitOrClose(target, async () => {
      // A server may have started meanwhile. Otherwise, the restore would be refused because of its key.
      requireEmptyFolder(folder, restoring);
      await migrate(target.session);
      const skipped = await steps.checkKeyAndSkipPastBackup(target, Date.parse(manifest.at));
      const erased = await steps.eraseAndRecord(target, recordOf(manifest));
      const { session } = target;
      // The rows that were erased were just added to the index of the search.
      if (erased.erasures > 0) await forgetDeletedUsers(session, (work) => work(session));
      return { ...skipped, ...erased };
    });
    requireIntact(draft, file);
    return { manifest, finish };
  });
  return { location: join(folder, databaseFile), ...report, warnings: [] };
}

async function restoreToPostgres(
  file: string,
  {
    database: url,
    databaseInsecure: insecure = false,
    databaseConnectTimeoutMs: connectTimeoutMs,
  }: RestoreTarget & { readonly database: string },
  steps: LastSteps,
): Promise<RestoreReport> {
  await requireVerified([url], insecure);
  const { settlePostgres, openPostgresTarget } = await import('../../database/postgres/copy-session.ts');
  const loaded = await loadBackup(file, async (_header, known) => {
    const target = await openPostgresTarget(url, { known, connectTimeoutMs }).catch((error: unknown) => {
      throw explainNewerTables(error, url, known);
    });
    await requireFree(target).catch(async (error: unknown) => {
      await target.close();
      throw error;
    });
    return target;
  });
  const { target, manifest } = loaded;
  const finish = await commitOrClose(target, async () => {
    const skipped = await steps.checkKeyAndSkipPastBackup(target, Date.parse(manifest.at));
    // The backup may be of an earlier release.
    await migrateInTransaction(target.session);
    return { ...skipped, ...(await steps.eraseAndRecord(target, recordOf(manifest))) };
  });
  const warnings = await tryLastStep(
    () => settlePostgres(url, { connectTimeoutMs }),
    describeStaleStatistics,
  );
  return { location: target.location, manifest, finish, warnings };
}

function recordOf(backup: BackupManifest) {
  return { operation: 'restore', backup } as const;
}

async function requireFree(target: CopySession): Promise<void> {
  if (await holdsDirectory(target.session))
    throw new AdminError(`${target.location} already holds data; restore into an empty database`);
  await requireStoppedTarget(target, { verb: 'restore', origin: 'backup' });
}

/** A server of this release may have made its tables before the restore of a backup that an earlier one made. */
function explainNewerTables(error: unknown, url: string, known: Migrations): unknown {
  if (!(error instanceof SchemaError) || error instanceof ForeignTablesError || known === migrations)
    return error;
  const { location } = parseDatabaseUrl(url);
  return new AdminError(
    `${location} has the tables of a newer release than the backup; restore into a new, empty database, which this command brings up to its own release`,
    { cause: error },
  );
}
