import { join, resolve } from 'node:path';
import type { CopySession } from '../../database/copy-session.ts';
import { connect } from '../../database/sqlite/connections/connection.ts';
import { openSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { toFileError } from '../../database/sqlite/files/database-file-error.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { AdminError } from '../admin-error.ts';
import { clearRemnants, type Remnants, remnantsLeft } from '../clear-remnants.ts';
import { holdsTables, repairFolder, repairTables } from '../migrate-directory.ts';
import { openDatabaseAlone, requireDatabase } from '../open-directory.ts';
import type { ErasureList } from './choose-erasures.ts';
import { adviseOnOwner, giveDatabaseToFolderOwner } from './folder-owner.ts';
import { requireStoppedServers } from './require-stopped-servers.ts';
import {
  commitOrClose,
  lastSteps,
  type RestoreOptions,
  type RestoreOutcome,
  type RestoreTarget,
  readErasureLists,
} from './restore-steps.ts';

/** How the restore of a database by other tools was finished. */
export interface InPlaceRestore extends RestoreOutcome {
  readonly location: string;
  /** The parts that were missing or switched off, and were made again, as by `fieldroster migrate`. */
  readonly repaired: readonly string[];
  /** What the erasures left outside the tables; absent if none concerned a user of the database. */
  readonly cleared?: Remnants;
  /** The command that lets the server use the restored files; absent if none is needed. */
  readonly ownerCommand?: string;
}

/**
 * Finishes the restore of a database by other tools, such as PostgreSQL's archive or Litestream.
 * Run it before the first server starts.
 *
 * @throws {AdminError} when a server runs on it, or it holds no directory
 */
export async function finishRestore(
  target: RestoreTarget,
  { erasureFiles = [] }: RestoreOptions = {},
): Promise<InPlaceRestore> {
  const folder = resolve(target.data);
  const lists = await readErasureLists([folder], erasureFiles);
  const opened = await openInPlace(target, folder);
  const { location } = opened;
  const finished = await finish(opened, target, lists).catch((error: unknown) => {
    throw target.database ? error : toFileError(error, location);
  });
  if (target.database) return { ...finished, ...(await clearIfErased(finished, target)) };
  const repaired = await repairFolder(folder);
  const cleared = await clearIfErased(finished, target);
  await giveDatabaseToFolderOwner(folder);
  const ownerCommand = adviseOnOwner(folder);
  return { ...finished, repaired, ...cleared, ...(ownerCommand !== undefined && { ownerCommand }) };
}

/** Also after erasures that an earlier finish applied, because that one may have failed to clear what they left. */
async function clearIfErased(
  { erasuresConcerning }: RestoreOutcome,
  target: RestoreTarget,
): Promise<Pick<InPlaceRestore, 'cleared'>> {
  if (erasuresConcerning.length === 0) return {};
  // PostgreSQL clears nothing at once.
  if (target.database) return { cleared: { remnants: undefined, remnantsFailed: undefined } };
  try {
    const database = await openDatabaseAlone(target);
    await using _closing = { [Symbol.asyncDispose]: () => database.close() };
    return { cleared: await clearRemnants(database) };
  } catch (error) {
    return { cleared: remnantsLeft(error) };
  }
}

function finish(
  opened: CopySession,
  target: RestoreTarget,
  lists: readonly ErasureList[],
): Promise<InPlaceRestore> {
  const { checkKeyAndSkipPastBackup, eraseAndRecord } = lastSteps(target, lists);
  const work = async () => {
    await requireStoppedServers(opened);
    // Tools that load rows may switch triggers off. Repairs come first: the triggers for the order of changes note
    // erasures.
    const repaired = target.database ? await repairTables(opened.session) : [];
    const { location } = opened;
    const skipped = await checkKeyAndSkipPastBackup(opened);
    const erased = await eraseAndRecord(opened, { operation: 'restore --finish' });
    return { location, repaired, ...skipped, ...erased };
  };
  return commitOrClose(opened, work, 'run the same command again; it may be repeated');
}

/** Refuses a database without our tables. Opening it would make them, although the restored ones must be elsewhere. */
async function openInPlace(target: RestoreTarget, folder: string): Promise<CopySession> {
  const { database, databaseConnectTimeoutMs: connectTimeoutMs } = target;
  requireDatabase(target);
  if (!(await holdsTables(target))) {
    throw new AdminError(
      `${await locationOf(target, folder)} holds no tables of Fieldroster, so nothing was restored there; name the right ` +
        'database, or restore it first',
    );
  }
  if (!database) {
    await requireStoppedFolder(folder);
    return openSqliteTarget(folder);
  }
  const { openPostgresTarget } = await import('../../database/postgres/copy-session.ts');
  return openPostgresTarget(database, { connectTimeoutMs });
}

/** Opening the database would migrate its tables, also those that a server of an earlier release is using. */
async function requireStoppedFolder(folder: string): Promise<void> {
  const location = join(folder, databaseFile);
  const { connection, session } = connect(location);
  try {
    await requireStoppedServers({ session, location, timeMs: async () => Date.now() });
  } finally {
    connection.close();
  }
}

async function locationOf({ database }: RestoreTarget, folder: string): Promise<string> {
  if (!database) return join(folder, databaseFile);
  const { parseDatabaseUrl } = await import('../../database/postgres/connections/database-url.ts');
  return parseDatabaseUrl(database).location;
}
