import { join, resolve } from 'node:path';
import type { CopySession } from '../../database/copy-session.ts';
import { openSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { toFileError } from '../../database/sqlite/files/database-file-error.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { AdminError } from '../admin-error.ts';
import { holdsTables, repairFolder, repairTables } from '../migrate-directory.ts';
import { requireDatabase } from '../open-directory.ts';
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
  if (target.database) return finished;
  const repaired = await repairFolder(folder);
  await giveDatabaseToFolderOwner(folder);
  const ownerCommand = adviseOnOwner(folder);
  return { ...finished, repaired, ...(ownerCommand !== undefined && { ownerCommand }) };
}

function finish(
  opened: CopySession,
  target: RestoreTarget,
  lists: readonly ErasureList[],
): Promise<InPlaceRestore> {
  const { checkKeyAndSkipPastBackup, eraseAndRecord } = lastSteps(target, lists);
  return commitOrClose(opened, async () => {
    await requireStoppedServers(opened);
    // Tools that load rows may switch triggers off. Repairs come first: the triggers for the order of changes note
    // erasures.
    const repaired = target.database ? await repairTables(opened.session) : [];
    const { location } = opened;
    const skipped = await checkKeyAndSkipPastBackup(opened);
    const erased = await eraseAndRecord(opened, { operation: 'restore --finish' });
    return { location, repaired, ...skipped, ...erased };
  });
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
  if (!database) return openSqliteTarget(folder);
  const { openPostgresTarget } = await import('../../database/postgres/copy-session.ts');
  return openPostgresTarget(database, { connectTimeoutMs });
}

async function locationOf({ database }: RestoreTarget, folder: string): Promise<string> {
  if (!database) return join(folder, databaseFile);
  const { parseDatabaseUrl } = await import('../../database/postgres/connections/database-url.ts');
  return parseDatabaseUrl(database).location;
}
