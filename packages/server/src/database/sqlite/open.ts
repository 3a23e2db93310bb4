import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Notice } from '../../logging/notice.ts';
import { makeDataFolder } from '../../machine/make-data-folder.ts';
import {
  migrateExisting,
  migrate as migrateTables,
  type OnMigrated,
  requireServableSchema,
  SchemaError,
} from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { newerTablesNotice } from '../migrations/schema-messages.ts';
import type { Session } from '../queries/session.ts';
import { BookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { connect, connectReader, type SqliteConnection } from './connections/connection.ts';
import { retryWhileBusy } from './errors/retry-while-busy.ts';
import { createPrivately } from './files/create-privately.ts';
import { DatabaseFileError, toFileError } from './files/database-file-error.ts';
import { DatabaseHealth } from './files/database-health.ts';
import { FileIdentity } from './files/file-identity.ts';
import { SqliteDatabase } from './sqlite-database.ts';

export interface SqliteOptions {
  /** Folder of the database; created if missing. */
  readonly folder: string;
  readonly now?: () => number;
  /** How long a write waits for another process's write, in milliseconds. */
  readonly lockWaitMs?: number;
  /** False leaves the tables as they are, and creates no database. */
  readonly migrate?: boolean;
  /** If false, a database without tables stays without them. */
  readonly create?: boolean;
  readonly onMigrated?: OnMigrated;
  /** Receives messages about the database for the operator. */
  readonly notice?: Notice;
}

/** File name of the database within its folder. */
export const databaseFile = 'fieldroster.db';

/** How long a start waits for another process's start or write, in milliseconds. */
const startWaitMs = 30_000;

/**
 * Opens the embedded database and migrates its tables to this release.
 *
 * @throws {SchemaError} when the tables do not fit this release, or the database is missing and must not be created
 * @throws {DatabaseFileError} when the file is damaged, or this user may not write it or its folder
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<SqliteDatabase> {
  const path = join(options.folder, databaseFile);
  if (options.migrate === false) requireDatabase(options.folder, path);
  makeDataFolder(options.folder);
  const health = new DatabaseHealth(path);
  const { writer, reader } = await openLastingFile(path, health, options).catch((error: unknown) => {
    throw toFileError(error, path);
  });
  const { lockWaitMs = 10_000, notice } = options;
  const bookkeeping = new BookkeepingFile({ folder: options.folder, lockWaitMs, notice });
  await bookkeeping.open().catch((error: unknown) => {
    reader.connection.close();
    writer.connection.close();
    throw error;
  });
  return new SqliteDatabase({
    path,
    bookkeeping,
    notice,
    writer,
    reader,
    health,
    now: options.now ?? Date.now,
    lockWaitMs,
  });
}

/** How often a file is opened again that another process replaced meanwhile, and how long to wait before, in milliseconds. */
const replacement = { attemptsMax: 5, pauseMs: 20 };

/**
 * Opens the file again if another process replaces it meanwhile: a restore or a copy puts its database in the place of a
 * file that is still empty. Writes to the former file would be lost.
 */
async function openLastingFile(path: string, health: DatabaseHealth, options: SqliteOptions) {
  for (let attempt = 1; ; attempt++) {
    let found: FileIdentity | undefined;
    try {
      createPrivately(path);
      const opened = new FileIdentity(path);
      found = opened;
      return await openFile(path, health, options, () => {
        if (opened.isReplaced()) throw new DatabaseFileError(`the database ${path} was replaced; try again`);
      });
    } catch (error) {
      const isReplaced = found === undefined ? !existsSync(path) : found.isReplaced();
      if (!isReplaced || attempt === replacement.attemptsMax) throw error;
    }
    await delay(replacement.pauseMs);
  }
}

/** @param refuseReplaced throws if the file was replaced */
async function openFile(
  path: string,
  health: DatabaseHealth,
  options: SqliteOptions,
  refuseReplaced: () => void,
) {
  const { migrate, create, onMigrated, notice } = options;
  const writer = connect(path, (error) => health.noteError(error));
  try {
    await enterWalMode(writer.connection);
    refuseReplaced();
    const newer = await (migrate === false
      ? requireServableSchema(writer.session, path)
      : migrateAlone(writer, (session) =>
          create === false ? migrateExisting(session, path) : migrateTables(session, migrations, onMigrated),
        ));
    if (newer.length > 0) notice?.({ migrations: newer }, newerTablesNotice(newer));
    // Waiting inside SQLite would block the whole process; the group commit waits outside it.
    writer.connection.exec('pragma busy_timeout = 0');
    const reader = connectReader(path, writer, (error) => health.noteError(error));
    health.watchFiles();
    return { writer, reader };
  } catch (error) {
    writer.connection.close();
    throw error;
  }
}

function requireDatabase(folder: string, path: string): void {
  if (existsSync(path)) return;
  throw new SchemaError(
    `there is no database in ${folder}; start the server with --migrate yes, which makes one, or name ` +
      'another folder with --data or FIELDROSTER_DATA',
  );
}

/** Switches to WAL mode. Of two processes that start at once, one waits for the other. */
async function enterWalMode(connection: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'), startWaitMs);
}

/**
 * Runs all migrations in one transaction, so that a process killed midway leaves nothing half done. After an error the
 * caller closes the connection, which undoes the transaction.
 */
async function migrateAlone(
  { connection, session }: SqliteConnection,
  migrate: (session: Session) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  await retryWhileBusy(() => connection.exec('begin immediate'), startWaitMs);
  const newer = await migrate(session);
  connection.exec('commit');
  return newer;
}
