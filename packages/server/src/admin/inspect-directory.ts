import { resolve } from 'node:path';
import type { Inspection } from '../database/database.ts';
import { openSqliteInspection } from '../database/sqlite/inspection.ts';
import { type OpenDirectoryOptions, requireDatabase, requireVerified } from './open-directory.ts';

/**
 * Opens a database to find faults in it, for reading only.
 *
 * @param now Unix milliseconds
 * @throws {MissingDatabaseError} when there is no database in the folder
 */
export async function openInspection(
  { data, database, databaseInsecure = false }: OpenDirectoryOptions,
  now: () => number,
): Promise<Inspection> {
  if (database === undefined || database === '') {
    requireDatabase({ data });
    return openSqliteInspection(resolve(data));
  }
  const { openPostgresInspection } = await import('../database/postgres/inspection.ts');
  await requireVerified([database], databaseInsecure);
  return openPostgresInspection(database, now);
}
