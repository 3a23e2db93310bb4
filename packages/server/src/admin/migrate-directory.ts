import { join, resolve } from 'node:path';
import { pendingMigrations } from '../database/migrations/migrate.ts';
import { queryBuilderSession } from '../database/queries/query-builder-session.ts';
import type { Session } from '../database/queries/session.ts';
import { connect } from '../database/sqlite/connection.ts';
import { databaseFile } from '../database/sqlite/open.ts';
import {
  type OpenDirectoryOptions,
  openDirectory,
  requireDatabase,
  requireVerified,
} from './open-directory.ts';

const connectTimeoutMs = 10_000;

/**
 * Migrates the tables to this release and returns the migrations that ran, in order.
 *
 * @param dryRun only returns those that would run
 * @throws {MissingDatabaseError} when there is no database in the folder
 */
export async function migrateDirectory(options: OpenDirectoryOptions, dryRun: boolean): Promise<string[]> {
  requireDatabase(options);
  const pending = await listPending(options);
  if (!dryRun) await migrateNow(options, pending);
  return pending;
}

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
  const { repairChangeOrder: repair } = await import('../database/postgres/change-order.ts');
  const { db, engine } = await connectTo(database);
  try {
    return await db.transaction().execute((transaction) => repair(queryBuilderSession(transaction, engine)));
  } finally {
    await db.destroy();
  }
}

async function migrateNow(options: OpenDirectoryOptions, pending: readonly string[]): Promise<void> {
  const { database, actor } = await openDirectory({ ...options, migrate: true });
  try {
    if (pending.length > 0) await database.tenants.recordMigration(pending, actor);
  } finally {
    await database.close();
  }
}

async function listPending({
  data,
  database,
  databaseInsecure = false,
}: OpenDirectoryOptions): Promise<string[]> {
  if (database) await requireVerified([database], databaseInsecure);
  const session = await (database ? connectTo(database) : openFolder(resolve(data)));
  try {
    return await pendingMigrations(session);
  } finally {
    await session.db.destroy();
  }
}

async function connectTo(url: string): Promise<Session> {
  const { openSessionWithoutTimeout } = await import('../database/postgres/open.ts');
  return openSessionWithoutTimeout(url, connectTimeoutMs);
}

function openFolder(folder: string): Session {
  return connect(join(folder, databaseFile)).session;
}
