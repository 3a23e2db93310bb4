import { join, resolve } from 'node:path';
import {
  isMigrated,
  pendingMigrations,
  requireFreeNames,
  unknownMigrations,
} from '../database/migrations/migrate.ts';
import { newerTablesNotice } from '../database/migrations/schema-messages.ts';
import { queryBuilderSession } from '../database/queries/query-builder-session.ts';
import type { Session } from '../database/queries/session.ts';
import { connect } from '../database/sqlite/connections/connection.ts';
import { toFileError } from '../database/sqlite/files/database-file-error.ts';
import { repairParts } from '../database/sqlite/inspection/schema-parts.ts';
import { databaseFile } from '../database/sqlite/open.ts';
import {
  type OpenDirectoryOptions,
  requireDatabase,
  requireVerified,
  useDirectory,
} from './open-directory.ts';

type TablesOptions = Pick<
  OpenDirectoryOptions,
  'data' | 'database' | 'databaseInsecure' | 'databaseConnectTimeoutMs' | 'notice'
>;

/** How the tables of a database differ from those of this release. */
export interface MigrationReport {
  /** The migrations that ran, or would run, in order. */
  readonly migrations: readonly string[];
  /** Migrations of a newer release, with whose tables this release can serve. */
  readonly newer: readonly string[];
}

/**
 * Migrates the tables to this release.
 *
 * @param dryRun only reports what would run
 * @throws {MissingDatabaseError} when there is no database in the folder
 * @throws {SchemaError} when a newer release has changed the tables so that this one cannot serve them
 */
export async function migrateDirectory(
  options: OpenDirectoryOptions,
  dryRun: boolean,
): Promise<MigrationReport> {
  requireDatabase(options);
  const report = await readTables(options, compareTables);
  // Without a dry run, the opened directory gives the same notice.
  if (!dryRun) return { ...report, migrations: await migrateNow(options) };
  if (report.newer.length > 0)
    options.notice?.({ migrations: report.newer }, newerTablesNotice(report.newer));
  return report;
}

async function compareTables(session: Session): Promise<MigrationReport> {
  const migrations = await pendingMigrations(session);
  await requireFreeNames(session);
  return { migrations, newer: await unknownMigrations(session) };
}

/**
 * Repairs what triggers should have kept up to date, if anything is wrong with it,
 * as after a load with disabled triggers. On PostgreSQL, that is the order of changes and the references;
 * on SQLite, the index of the user search and any missing index. Tables of another release stay as they are.
 *
 * @returns what was made again
 * @throws {MissingDatabaseError} when there is no database in the folder
 */
export async function repairDirectory(options: TablesOptions): Promise<readonly string[]> {
  const { data, database, databaseInsecure = false } = options;
  requireDatabase({ data, ...(database && { database }) });
  if (!database) return repairFolder(resolve(data));
  await requireVerified([database], databaseInsecure);
  return withSession(database, options, ({ db, engine }) =>
    db.transaction().execute((transaction) => repairTables(queryBuilderSession(transaction, engine))),
  );
}

/** Repairs the tables of PostgreSQL in the session's transaction; see {@link repairDirectory}. */
export async function repairTables(session: Session): Promise<readonly string[]> {
  const { repairChangeOrder } = await import('../database/postgres/tables/change-order.ts');
  const { repairReferences } = await import('../database/postgres/tables/repair-references.ts');
  const order = (await repairChangeOrder(session)) ? ['the order of changes and its triggers'] : [];
  const references = await repairReferences(session);
  return [...order, ...references.map((name) => `the reference ${name}`)];
}

/** Repairs the embedded database of a folder; see {@link repairDirectory}. */
export function repairFolder(folder: string): Promise<readonly string[]> {
  return namingFile(folder, async () => {
    const connected = connect(join(folder, databaseFile));
    try {
      return await repairParts(connected);
    } finally {
      connected.connection.close();
    }
  });
}

/** @throws {DatabaseFileError} when SQLite cannot use the file */
async function namingFile<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFileError(error, join(folder, databaseFile));
  }
}

/** Returns what ran. A server or a copy may have migrated the tables meanwhile. */
async function migrateNow(options: OpenDirectoryOptions): Promise<readonly string[]> {
  let ran: readonly string[] = [];
  const onMigrated = (names: readonly string[]) => {
    ran = names;
  };
  return useDirectory({ ...options, migrate: true, onMigrated }, async ({ database, actor }) => {
    if (ran.length > 0) await database.tenants.recordMigration(ran, actor);
    return ran;
  });
}

/** Returns whether any release has made its tables in a database. Makes nothing. */
export function holdsTables(options: TablesOptions): Promise<boolean> {
  return readTables(options, isMigrated);
}

/**
 * Returns where a PostgreSQL database without a directory is, without user and password; `undefined` if it has one, or
 * the database is embedded.
 */
export async function locateEmptyDatabase(options: TablesOptions): Promise<string | undefined> {
  if (!options.database || (await holdsTables(options))) return undefined;
  const { parseDatabaseUrl } = await import('../database/postgres/connections/database-url.ts');
  return parseDatabaseUrl(options.database).location;
}

async function readTables<T>(options: TablesOptions, read: (session: Session) => Promise<T>): Promise<T> {
  const { data, database, databaseInsecure = false } = options;
  if (!database) return namingFile(resolve(data), () => useAndClose(openFolder(resolve(data)), read));
  await requireVerified([database], databaseInsecure);
  return withSession(database, options, read);
}

/** Works on a PostgreSQL database, and logs which sessions delay the work. */
async function withSession<T>(
  url: string,
  { notice = () => {}, databaseConnectTimeoutMs }: TablesOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { announceLocks } = await import('../database/postgres/locks/announce-locks.ts');
  const { commandConnectTimeoutMs, openSessionWithoutTimeout } = await import('../database/postgres/open.ts');
  const openSession = () => openSessionWithoutTimeout(url, commandConnectTimeoutMs(databaseConnectTimeoutMs));
  const options = { openSession, notice };
  return useAndClose(openSession(), (session) => announceLocks(session, () => work(session), options));
}

async function useAndClose<T>(session: Session, use: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await use(session);
  } finally {
    await session.db.destroy();
  }
}

function openFolder(folder: string): Session {
  return connect(join(folder, databaseFile)).session;
}
