import { queryBuilderSession } from '../database/queries/query-builder-session.ts';
import { type OpenDirectoryOptions, requireVerified } from './open-directory.ts';

const connectTimeoutMs = 10_000;

/**
 * Repairs the order of changes that PostgreSQL keeps in a table of its own, if anything is wrong with it, as after a load
 * with disabled triggers. The embedded database has an index instead.
 *
 * @returns whether anything was wrong
 */
export async function repairChangeOrder({
  database,
  databaseInsecure = false,
}: OpenDirectoryOptions): Promise<boolean> {
  if (!database) return false;
  await requireVerified([database], databaseInsecure);
  const { openSessionWithoutTimeout } = await import('../database/postgres/open.ts');
  const { repairChangeOrder: repair } = await import('../database/postgres/change-order.ts');
  const session = openSessionWithoutTimeout(database, connectTimeoutMs);
  try {
    return await session.db.transaction().execute((db) => repair(queryBuilderSession(db, session.engine)));
  } finally {
    await session.db.destroy();
  }
}
