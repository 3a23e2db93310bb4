import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { masterKeyFile } from '../applications/master-key/key-places.ts';
import type { Inspection } from '../database/database.ts';
import { refusingInspection } from '../database/queries/inspection/refusing-inspection.ts';
import { DatabaseFileError, toFileError } from '../database/sqlite/files/database-file-error.ts';
import { findBookkeepingFault } from '../database/sqlite/inspection/database-faults.ts';
import { openSqliteInspection } from '../database/sqlite/inspection/inspection.ts';
import { openLostInspection } from '../database/sqlite/inspection/lost-inspection.ts';
import { databaseFile } from '../database/sqlite/open.ts';
import { findDraft } from './backup/draft-folder.ts';
import {
  holdsDatabase,
  type OpenDirectoryOptions,
  requireDatabase,
  requireVerified,
} from './open-directory.ts';

/**
 * Opens a database to find faults in it, for reading only.
 *
 * @param now Unix milliseconds
 * @throws {MissingDatabaseError} when there is no database in the folder, and no sign that there was one
 * @throws {DatabaseFileError} when the file cannot be opened, or a restore or a copy has not finished it
 */
export async function openInspection(
  { data, database, databaseInsecure = false, databaseConnectTimeoutMs }: OpenDirectoryOptions,
  now: () => number,
): Promise<Inspection> {
  if (database === undefined || database === '') return openInspectionOfFolder(resolve(data));
  const { openPostgresInspection } = await import('../database/postgres/inspection.ts');
  await requireVerified([database], databaseInsecure);
  return openPostgresInspection(database, now, databaseConnectTimeoutMs);
}

/** Stands in for a database that could not be opened, so that the checks that do not need it still run. */
export function unopenedInspection({
  data,
  database,
}: Pick<OpenDirectoryOptions, 'data' | 'database'>): Inspection {
  const said = 'cannot be opened';
  if (database) {
    const findNone = async () => undefined;
    const refusing = refusingInspection({ engine: 'postgres', location: 'PostgreSQL' }, said);
    return { ...refusing, findBookkeepingFault: findNone };
  }
  const folder = resolve(data);
  return {
    ...refusingInspection({ engine: 'sqlite', location: join(folder, databaseFile) }, said),
    findBookkeepingFault: async (deep) => findBookkeepingFault(folder, deep),
  };
}

/** Returns whether the file of the embedded database could not be opened; the message then says what to do. */
export function isFileError(error: unknown): boolean {
  return error instanceof DatabaseFileError;
}

function openInspectionOfFolder(folder: string): Inspection {
  if (!holdsDatabase({ data: folder })) {
    refuseUnfinished(folder);
    if (hasLostDatabase(folder)) return openLostInspection(folder);
  }
  requireDatabase({ data: folder });
  try {
    return openSqliteInspection(folder);
  } catch (error) {
    throw toFileError(error, join(folder, databaseFile));
  }
}

/**
 * Refuses a folder whose restore or copy is under way or was killed. Its key file makes the database look lost, but the
 * folder never had one. With the log or the journal of an earlier database, a restore would be refused.
 */
function refuseUnfinished(folder: string): void {
  if (['-wal', '-journal'].some((ending) => isFilled(join(folder, databaseFile + ending)))) return;
  for (const work of ['restore', 'copy']) {
    const draft = findDraft(folder, work);
    if (draft === undefined) continue;
    throw new DatabaseFileError(
      `there is no database in ${folder} yet, because a ${work} has not finished (its draft is ${draft}): wait for its ` +
        `end, or, if it was killed, run the same ${work} again, which removes the draft`,
    );
  }
}

/**
 * Returns whether a folder without a database has had one: a key file is made only after the database, and SQLite removes
 * the log of a closed one.
 */
function hasLostDatabase(folder: string): boolean {
  return [masterKeyFile, `${databaseFile}-wal`].some((name) => isFilled(join(folder, name)));
}

function isFilled(path: string): boolean {
  try {
    return statSync(path).size > 0;
  } catch {
    return false;
  }
}
