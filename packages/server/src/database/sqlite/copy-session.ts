import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Notice } from '../../logging/notice.ts';
import { type CopySession, CopyUnderWayError } from '../copy-session.ts';
import { migrate, requireOwnSchema } from '../migrations/migrate.ts';
import type { Migrations } from '../migrations/migrations.ts';
import { BookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { connect, type SqliteConnection } from './connections/connection.ts';
import { isBusy } from './errors/retry-while-busy.ts';
import { toFileError } from './files/database-file-error.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

/** How long a write to the bookkeeping waits for another process's write, in milliseconds. */
const lockWaitMs = 10_000;

/** Opens a folder's database for reading a snapshot of its current state. */
export async function openSqliteSource(folder: string, notice?: Notice): Promise<CopySession> {
  const path = join(folder, databaseFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  return open(path, notice, async ({ connection, session }) => {
    await requireOwnSchema(session, path);
    connection.exec('begin');
  });
}

/**
 * Creates a folder's database if it is missing, and opens it for writing.
 *
 * @throws {CopyUnderWayError} when another process writes to it for longer than a moment
 * @throws {DatabaseFileError} when the file cannot be used
 */
export async function openSqliteTarget(folder: string, notice?: Notice): Promise<CopySession> {
  const path = join(folder, databaseFile);
  try {
    if (existsSync(path)) requireUnlocked(path);
    await (await openSqliteDatabase({ folder })).close();
    return await open(path, notice, async ({ connection, session }) => {
      await requireOwnSchema(session, path);
      connection.exec('begin immediate');
    });
  } catch (error) {
    if (isBusy(error) || isBusy((error as Error).cause)) throw new CopyUnderWayError(path, { cause: error });
    throw toFileError(error, path);
  }
}

/** Fails early, because opening the database would wait for another copy, possibly for minutes. */
function requireUnlocked(path: string): void {
  const { connection } = connect(path);
  try {
    connection.exec('begin immediate');
  } finally {
    connection.close();
  }
}

/**
 * Creates a database in a new folder that no other process knows,
 * with the tables of some migrations only, for rows that were written under them.
 */
export async function createSqliteTarget(folder: string, known: Migrations): Promise<CopySession> {
  const path = join(folder, databaseFile);
  closeSync(openSync(path, 'wx', 0o600));
  return open(path, undefined, async ({ connection, session }) => {
    connection.exec('pragma journal_mode = wal; begin immediate');
    await migrate(session, known);
  });
}

/** @param begin begins the transaction of the copy */
async function open(
  path: string,
  notice: Notice | undefined,
  begin: (connected: SqliteConnection) => Promise<void>,
): Promise<CopySession> {
  const connected = connect(path);
  try {
    await begin(connected);
    return await toCopySession(path, connected, notice);
  } catch (error) {
    connected.connection.close();
    throw error;
  }
}

async function toCopySession(
  path: string,
  { connection, session }: SqliteConnection,
  notice: Notice | undefined,
): Promise<CopySession> {
  const bookkeeping = new BookkeepingFile({ folder: dirname(path), lockWaitMs, notice });
  await bookkeeping.open();
  return {
    session,
    bookkeeping,
    location: path,
    timeMs: async () => Date.now(),
    commit: async () => connection.exec('commit'),
    async close() {
      connection.close();
      await bookkeeping.close();
    },
  };
}
