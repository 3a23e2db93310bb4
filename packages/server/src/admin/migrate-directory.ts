import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Session } from '../store/kysely/session.ts';
import { pendingMigrations } from '../store/migrations/migrate.ts';
import { connect } from '../store/sqlite/connection.ts';
import { databaseFile } from '../store/sqlite/open.ts';
import { type OpenDirectoryOptions, openDirectory, requireVerified } from './open-directory.ts';

const connectTimeoutMs = 10_000;

/**
 * Brings the tables to this release and names the migrations that ran, in order.
 *
 * @param dryRun only names those that would run
 */
export async function migrateDirectory(options: OpenDirectoryOptions, dryRun: boolean): Promise<string[]> {
  const pending = await listPending(options);
  if (!dryRun) await (await openDirectory({ ...options, migrate: true })).store.close();
  return pending;
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
  const { openUnhurriedSession } = await import('../store/postgres/open.ts');
  return openUnhurriedSession(url, connectTimeoutMs);
}

/** A folder without a database is not given one by a mere look. */
function openFolder(folder: string): Session {
  const path = join(folder, databaseFile);
  return connect(existsSync(path) ? path : ':memory:').session;
}
