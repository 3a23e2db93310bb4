import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from '../../make-data-folder.ts';
import { migrate, newerTablesNotice, requireServableSchema, SchemaError } from '../migrations/migrate.ts';
import { connect, connectReader, type SqliteConnection } from './connection.ts';
import { DatabaseHealth } from './database-health.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { SqliteDatabase } from './sqlite-database.ts';

export interface SqliteOptions {
  /** Folder of the database; it is made when it is not there. */
  readonly folder: string;
  readonly now?: () => number;
  /** How long a write waits for another process that writes, in milliseconds. */
  readonly lockWaitMs?: number;
  /** False leaves the tables as they are, and makes no database. */
  readonly migrate?: boolean;
  /** Takes what an operator should know of the database. */
  readonly notice?: (fields: object, message: string) => void;
}

/** Name of the database within its folder. */
export const databaseFile = 'fieldroster.db';

/** How long a start waits for another process that starts or writes, in milliseconds. */
const startWaitMs = 30_000;

/**
 * Opens the embedded database and brings its tables to this release.
 *
 * @throws {SchemaError} when the tables do not fit this release, or there is no database and none may be made
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<SqliteDatabase> {
  const path = join(options.folder, databaseFile);
  if (options.migrate === false) requireDatabase(options.folder, path);
  makeDataFolder(options.folder);
  createPrivately(path);
  const health = new DatabaseHealth(path);
  const writer = connect(path, (error) => health.noteError(error));
  try {
    await enterWalMode(writer.connection);
    const newer = await (options.migrate === false
      ? requireServableSchema(writer.session)
      : migrateAlone(writer));
    if (newer.length > 0) options.notice?.({ migrations: newer }, newerTablesNotice(newer));
    // Waiting inside SQLite would stop the whole process; the group commit waits outside of it.
    writer.connection.exec('pragma busy_timeout = 0');
  } catch (error) {
    writer.connection.close();
    throw error;
  }
  const reader = connectReader(path, (error) => health.noteError(error));
  health.watchFiles();
  return new SqliteDatabase({
    path,
    writer,
    reader,
    health,
    now: options.now ?? Date.now,
    lockWaitMs: options.lockWaitMs ?? 10_000,
  });
}

function requireDatabase(folder: string, path: string): void {
  if (existsSync(path)) return;
  throw new SchemaError(
    `there is no database in ${folder}; a start that may change the tables (--migrate yes) makes one, or name ` +
      'another folder with --data or FIELDROSTER_DATA',
  );
}

/**
 * The file holds password hashes, so that nobody but its owner may read it.
 *
 * One that is there is not opened: closing it again would end the locks that other connections of this process have
 * on it, as POSIX has it, and the next process to close the database would remove the log that this one writes to.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
}

/** Two processes that start at once may both want to switch the mode; one waits for the other. */
async function enterWalMode(connection: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'), startWaitMs);
}

/** One transaction around all migrations: a process killed in the middle leaves nothing half done. */
async function migrateAlone({ connection, session }: SqliteConnection): Promise<readonly string[]> {
  await retryWhileBusy(() => connection.exec('begin immediate'), startWaitMs);
  try {
    const newer = await migrate(session);
    connection.exec('commit');
    return newer;
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback');
    throw error;
  }
}
