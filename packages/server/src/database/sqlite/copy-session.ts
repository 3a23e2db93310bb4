import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type CopySession, CopyUnderWayError } from '../copy-session.ts';
import { requireOwnSchema } from '../migrations/migrate.ts';
import { BookkeepingFile } from './bookkeeping-file.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';
import { isBusy } from './retry-while-busy.ts';

/** Receives messages for the operator. */
type Notice = (fields: object, message: string) => void;

/** How long a write to the bookkeeping waits for another process's write, in milliseconds. */
const lockWaitMs = 10_000;

/** Opens a folder's database for reading a snapshot of its current state. */
export async function openSqliteSource(folder: string, notice?: Notice): Promise<CopySession> {
  const path = join(folder, databaseFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  return open(path, notice, (connection) => connection.exec('begin'));
}

/**
 * Creates a folder's database if it is missing, and opens it for writing.
 *
 * @throws {CopyUnderWayError} when another process writes to it for longer than a moment
 */
export async function openSqliteTarget(folder: string, notice?: Notice): Promise<CopySession> {
  const path = join(folder, databaseFile);
  if (existsSync(path)) requireUnlocked(path);
  await openSqliteDatabase({ folder }).then((database) => database.close(), rethrow(path));
  return open(path, notice, (connection) => beginAlone(connection, path));
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

async function open(
  path: string,
  notice: Notice | undefined,
  begin: (connection: DatabaseSync) => void,
): Promise<CopySession> {
  const { connection, session } = connect(path);
  try {
    await requireOwnSchema(session);
    begin(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  const bookkeeping = new BookkeepingFile({ folder: dirname(path), lockWaitMs, notice });
  await bookkeeping.open();
  return {
    session,
    bookkeeping,
    location: path,
    commit: async () => connection.exec('commit'),
    async close() {
      connection.close();
      await bookkeeping.close();
    },
  };
}
