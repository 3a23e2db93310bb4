import { sql } from 'kysely';
import type { CopySession } from '../copy-session.ts';
import { migrate, requireCurrentSchema } from '../migrations/migrate.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openUnhurriedSession } from './open.ts';
import { commit } from './run-transaction.ts';

const connectTimeoutMs = 10_000;

/** Opens a database for reading it as it is at this moment. */
export async function openPostgresSource(url: string): Promise<CopySession> {
  return open(url, requireCurrentSchema, 'begin isolation level repeatable read, read only');
}

/** Makes the tables where there are none, and opens the database for writing. */
export async function openPostgresTarget(url: string): Promise<CopySession> {
  return open(url, migrate, 'begin');
}

async function open(url: string, prepare: typeof requireCurrentSchema, begin: string): Promise<CopySession> {
  const session = openUnhurriedSession(url, connectTimeoutMs);
  try {
    await prepare(session);
    await sql.raw(begin).execute(session.db);
  } catch (error) {
    await session.db.destroy();
    throw error;
  }
  return {
    session,
    place: parseDatabaseUrl(url).place,
    commit: () => commit(session.db),
    close: () => session.db.destroy(),
  };
}
