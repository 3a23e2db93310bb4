import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { limits } from '@fieldroster/contract';
import { findMasterKey, MasterKeyError } from '../../applications/master-key.ts';
import { SecretVault } from '../../applications/secret-vault.ts';
import type { CopySession } from '../../database/copy-session.ts';
import type { ErasedCounts, Erasure } from '../../database/database.ts';
import { migrate, migrations } from '../../database/migrations/migrate.ts';
import { eraseUsers, listErasures } from '../../database/queries/erase-users.ts';
import { forgetWhatFollowed, readSetting } from '../../database/queries/finish-restore.ts';
import { holdsDirectory } from '../../database/queries/imports/copy-tables.ts';
import { createSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { makeDataFolder } from '../../make-data-folder.ts';
import { AdminError } from '../applications.ts';
import { refusedAfterResetSeconds } from '../claims.ts';
import { proofSetting, requireVerified } from '../open-directory.ts';
import type { BackupManifest } from './backup-format.ts';
import { makeDraftFolder } from './draft-folder.ts';
import { addToErasureFile, erasureFile, mergeErasures, readErasureFile } from './erasure-file.ts';
import { loadBackup } from './load-backup.ts';
import type { BackupSource } from './make-backup.ts';
import { syncFolder } from './sync-folder.ts';
import { requireIntact } from './verify-backup.ts';

/** Where to restore to: a folder, or a PostgreSQL database and the folder of its key file. */
export interface RestoreTarget extends BackupSource {
  readonly environment: NodeJS.ProcessEnv;
}

export interface RestoreOptions {
  /** Lists of erasures besides those beside the backup and the key file. */
  readonly erasureFiles?: readonly string[];
}

export interface RestoreReport {
  readonly location: string;
  readonly manifest: BackupManifest;
  readonly finish: RestoreFinish;
}

/** What was done to a restored database, whichever way it was restored. */
export interface RestoreFinish {
  /** Writes signed with a Timestamp up to this are refused, in Unix seconds. */
  readonly refusedThroughSeconds: number;
  /** Persons whose erasure is newer than the backup, and who were erased again. */
  readonly erasures: number;
  readonly erased: ErasedCounts;
  /** Whether the master key was there, and is the right one. */
  readonly keyFound: boolean;
}

/**
 * Restores a backup into an empty place. If anything fails, the place is as it was before.
 *
 * @throws {AdminError} when the target holds data
 * @throws {BackupFileError} when the file cannot be restored
 * @throws {MasterKeyError} when the key that is there is not the one of the backup
 */
export async function restoreBackup(
  file: string,
  target: RestoreTarget,
  { erasureFiles = [] }: RestoreOptions = {},
): Promise<RestoreReport> {
  const path = resolve(file);
  const folder = resolve(target.data);
  const lists = [join(path, '..', erasureFile), join(folder, erasureFile), ...erasureFiles];
  const known = mergeErasures(...(await Promise.all(lists.map(readErasureFile))));
  const steps = lastSteps(target, known);
  const report = await (target.database
    ? restoreToPostgres(path, target.database, target.databaseInsecure ?? false, steps)
    : restoreToFolder(path, folder, steps));
  if (!target.database) await addToErasureFile(join(folder, erasureFile), known);
  return report;
}

/** The last steps of a restore, inside the transaction that fills the target. */
interface LastSteps {
  /** Works on the tables of any release. */
  readonly closeHoles: (
    target: CopySession,
  ) => Promise<Pick<RestoreFinish, 'keyFound' | 'refusedThroughSeconds'>>;
  /** Needs the tables of this release. */
  readonly erase: (target: CopySession) => Promise<Pick<RestoreFinish, 'erasures' | 'erased'>>;
}

async function restoreToFolder(file: string, folder: string, steps: LastSteps): Promise<RestoreReport> {
  requireEmptyFolder(folder);
  makeDataFolder(folder);
  const draft = makeDraftFolder(folder, 'restore');
  try {
    const { target, manifest } = await loadBackup(file, (_header, known) =>
      createSqliteTarget(draft.path, known),
    );
    const finish = await commitOrClose(target, async () => {
      await migrate(target.session);
      return { ...(await steps.closeHoles(target)), ...(await steps.erase(target)) };
    });
    requireIntact(draft.path, file);
    const location = await putInPlace(draft.path, folder);
    return { location, manifest, finish };
  } finally {
    draft.remove();
  }
}

function requireEmptyFolder(folder: string): void {
  for (const name of [databaseFile, `${databaseFile}-wal`]) {
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    throw new AdminError(
      `${folder} holds data already (${name}); restore into another folder, or stop the server and move ` +
        `${databaseFile}, ${databaseFile}-wal and ${databaseFile}-shm elsewhere`,
    );
  }
}

/** Fails when another process has made a database meanwhile. */
async function putInPlace(draft: string, folder: string): Promise<string> {
  const [from, to] = [join(draft, databaseFile), join(folder, databaseFile)];
  // A first start that was killed at once leaves an empty file.
  if (existsSync(to) && statSync(to).size === 0) rmSync(to);
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(to)) throw error;
    // This file system has no hard links.
    renameSync(from, to);
  }
  await syncFolder(folder);
  return to;
}

async function restoreToPostgres(
  file: string,
  url: string,
  insecure: boolean,
  steps: LastSteps,
): Promise<RestoreReport> {
  await requireVerified([url], insecure);
  const { settlePostgres, openPostgresTarget } = await import('../../database/postgres/copy-session.ts');
  const loaded = await loadBackup(file, async (_header, known) => {
    const target = await openPostgresTarget(url, known);
    if (!(await holdsDirectory(target.session))) return target;
    await target.close();
    throw new AdminError(`${target.location} holds data already; restore into an empty database`);
  });
  const { target, manifest } = loaded;
  const report = { location: target.location, manifest };
  if (manifest.migrations.length === Object.keys(migrations).length) {
    const finish = await commitOrClose(target, async () => ({
      ...(await steps.closeHoles(target)),
      ...(await steps.erase(target)),
    }));
    await settlePostgres(url);
    return { ...report, finish };
  }
  const closed = await commitOrClose(target, () => steps.closeHoles(target));
  // PostgreSQL cannot migrate inside the transaction of the restore.
  await settlePostgres(url);
  const migrated = await openPostgresTarget(url);
  const erased = await commitOrClose(migrated, () => steps.erase(migrated));
  return { ...report, finish: { ...closed, ...erased } };
}

async function commitOrClose<T>(target: CopySession, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await target.commit();
    return result;
  } finally {
    await target.close();
  }
}

function lastSteps({ data, environment }: RestoreTarget, known: readonly Erasure[]): LastSteps {
  return {
    async closeHoles({ session }) {
      const proof = await readSetting(session, proofSetting);
      const keyFound = requireRightKey(resolve(data), environment, proof);
      const refusedThroughSeconds = Math.floor(Date.now() / 1000) + refusedAfterResetSeconds;
      await forgetWhatFollowed(session, refusedThroughSeconds + limits.timestampSkewSeconds);
      return { keyFound, refusedThroughSeconds };
    },
    async erase({ session }) {
      const recorded = await listErasures(session);
      const missing = mergeErasures(recorded, known).slice(recorded.length);
      return { erasures: missing.length, erased: await eraseUsers(session, missing) };
    },
  };
}

/** @returns whether there is a key */
function requireRightKey(folder: string, environment: NodeJS.ProcessEnv, proof: string | undefined): boolean {
  const key = findMasterKey(folder, environment);
  if (key === undefined) return false;
  if (proof === undefined || new SecretVault(key).accepts(proof)) return true;
  throw new MasterKeyError(
    `the master key in ${folder} or FIELDROSTER_MASTER_KEY is not the one that this backup was made under; nothing ` +
      'was restored: put the key of that time there, or take the key away and bring the right one before the first start',
  );
}

/**
 * Does the last steps of a restore to a database that other tools restored, such as PostgreSQL's archive or Litestream.
 * Run it before the first server starts.
 */
export async function finishRestore(
  target: RestoreTarget,
  { erasureFiles = [] }: RestoreOptions = {},
): Promise<RestoreFinish & { readonly location: string }> {
  const folder = resolve(target.data);
  const lists = [join(folder, erasureFile), ...erasureFiles];
  const known = mergeErasures(...(await Promise.all(lists.map(readErasureFile))));
  const opened = await openInPlace(target, folder);
  const { closeHoles, erase } = lastSteps(target, known);
  const finished = await commitOrClose(opened, async () => ({
    ...(await closeHoles(opened)),
    ...(await erase(opened)),
  }));
  return { ...finished, location: opened.location };
}

async function openInPlace({ database, databaseInsecure = false }: RestoreTarget, folder: string) {
  if (database) {
    await requireVerified([database], databaseInsecure);
    const { openPostgresTarget } = await import('../../database/postgres/copy-session.ts');
    return openPostgresTarget(database, migrations);
  }
  if (!existsSync(join(folder, databaseFile))) {
    throw new AdminError(`there is no database in ${folder}; put the restored one there first`);
  }
  const { openSqliteTarget } = await import('../../database/sqlite/copy-session.ts');
  return openSqliteTarget(folder);
}
