import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type CopySession, CopyUnderWayError } from '../copy-session.ts';
import { type Migrations, migrate, requireOwnSchema } from '../migrations/migrate.ts';
import type { Session } from '../queries/session.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';
import { isBusy } from './retry-while-busy.ts';

/** Opens a folder's database for reading a snapshot of its current state. */
export async function openSqliteSource(folder: string): Promise<CopySession> {
  const path = join(folder, databaseFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  return open(path, (connection) => connection.exec('begin'));
}

/**
 * Creates a folder's database if it is missing, and opens it for writing.
 *
 * @throws {CopyUnderWayError} when another process writes to it for longer than a moment
 */
export async function openSqliteTarget(folder: string): Promise<CopySession> {
  const path = join(folder, databaseFile);
  if (existsSync(path)) requireUnlocked(path);
  await openSqliteDatabase({ folder }).then((database) => database.close(), rethrow(path));
  return open(path, (connection) => beginAlone(connection, path));
}

/** Fails early, because opening the database would wait for another copy, possibly for minutes. */
function requireUnlocked(path: string): void {
  const { connection } = connect(path);
  try {
    beginAlone(connection, path);
  } finally {
    connection.close();
  }
}

function beginAlone(connection: DatabaseSync, path: string): void {
  try {
    connection.exec('begin immediate');
  } catch (error) {
    rethrow(path)(error);
  }
}

function rethrow(path: string): (error: unknown) => never {
  return (error) => {
    throw isBusy(error) ? new CopyUnderWayError(path, { cause: error }) : error;
  };
}

/**
 * Creates a database in a new folder that no other process knows, with the tables of some migrations only, for rows that
 * were written under them.
 */
export async function createSqliteTarget(folder: string, known: Migrations): Promise<CopySession> {
  const path = join(folder, databaseFile);
  closeSync(openSync(path, 'wx', 0o600));
  const { connection, session } = connect(path);
  connection.exec('pragma journal_mode = wal; begin immediate');
  await migrate(session, known);
  return toCopySession(path, connection, session);
}

async function open(path: string, begin: (connection: DatabaseSync) => void): Promise<CopySession> {
  const { connection, session } = connect(path);
  try {
    await requireOwnSchema(session);
    begin(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return toCopySession(path, connection, session);
}

function toCopySession(path: string, connection: DatabaseSync, session: Session): CopySession {
  return {
    session,
    location: path,
    commit: async () => connection.exec('commit'),
    close: async () => connection.close(),
  };
}
