import type { Kysely } from 'kysely';
import {
  DEFAULT_MIGRATION_TABLE,
  type MigrationInfo,
  type MigrationResultSet,
  Migrator,
} from 'kysely/migration';
import { OperatorError } from '../../errors/operator-error.ts';
import type { Schema } from '../queries/schema.ts';
import type { Engine, Session } from '../queries/session.ts';
import { findForeignTables, findTakenNames } from './foreign-tables.ts';
import { lockMigrations } from './migration-lock.ts';
import { type Migration, type Migrations, migrations } from './migrations.ts';
import { newerTables, noTablesIn, notEmpty, olderTables, takenNames } from './schema-messages.ts';

/** Receives the names of the migrations that ran, in order. */
export type OnMigrated = (names: readonly string[]) => void;

/** The tables do not fit this release. */
export class SchemaError extends OperatorError {
  override readonly name = 'SchemaError';
}

/** Tables of other programs are where ours would be. */
export class ForeignTablesError extends SchemaError {}

/**
 * Migrates the tables to this release. Processes that start at the same time wait for each other.
 *
 * @param onMigrated receives what this call ran, which another process may have done instead
 * @returns the migrations of a newer release, if this one can serve the tables with them
 * @throws {SchemaError} when a newer release has changed the tables so that this one cannot serve them
 */
export async function migrate(
  session: Session,
  known = migrations,
  onMigrated?: OnMigrated,
): Promise<readonly string[]> {
  const newer = await newerMigrations(session, known);
  if (newer.length > 0) return newer;
  if ((await pendingMigrations(session, known)).length === 0) {
    onMigrated?.([]);
    return [];
  }
  const { error, results = [] } = await migrateAlone(session, known);
  if (error === undefined) {
    onMigrated?.(results.map(({ migrationName }) => migrationName));
    return [];
  }
  // A node of the newer release may have changed the tables in the meantime.
  const newerNow = await newerMigrations(session, known);
  if (newerNow.length > 0) return newerNow;
  throw explainMigrationError(error);
}

/** PostgreSQL migrates in a transaction, which waits for the lock and then sees what others did. SQLite has one writer. */
async function migrateAlone(session: Session, known: Migrations): Promise<MigrationResultSet> {
  if (session.engine.name === 'sqlite') return migratorOf(session, known).migrateToLatest();
  const transaction = session.db.transaction().setIsolationLevel('read committed');
  const migrated = transaction.execute(async (db) => {
    await lockMigrations(db);
    await requireFreeNames({ ...session, db });
    const results = await migratorOf({ ...session, db }, known).migrateToLatest();
    if (results.error !== undefined) throw results.error;
    return results;
  });
  return migrated.catch((error: unknown) => ({ error }));
}

/**
 * Migrates tables that exist, and makes none in a database without any, which may be the wrong one.
 *
 * @param location what the message calls the database
 * @returns the migrations of a newer release, as `migrate` does
 * @throws {SchemaError} when there are no tables, or a newer release has changed them so that this one cannot serve them
 */
export async function migrateExisting(session: Session, location: string): Promise<readonly string[]> {
  await requireTables(session, location);
  return migrate(session);
}

/** @throws {SchemaError} when no release has made its tables in the database */
async function requireTables(session: Session, location: string): Promise<void> {
  if (await isMigrated(session)) return;
  await requireFreeNames(session);
  throw new SchemaError(noTablesIn(location));
}

/** @throws {ForeignTablesError} when the first migration could not make its tables, because others have their names */
export async function requireFreeNames(session: Session): Promise<void> {
  const taken = await findUnlessMigrated(session, findTakenNames);
  if (taken.length > 0) throw new ForeignTablesError(takenNames(taken));
}

/**
 * @param location what the message calls the database
 * @throws {ForeignTablesError} when a database without a directory has tables of other programs
 */
export async function requireNoForeignTables(session: Session, location: string): Promise<void> {
  const foreign = await findUnlessMigrated(session, findForeignTables);
  if (foreign.length > 0) throw new ForeignTablesError(notEmpty(location, foreign));
}

/** Finds names first: tables that another process makes at the same time are then known to be migrated. */
async function findUnlessMigrated(
  session: Session,
  find: (session: Session) => Promise<string[]>,
): Promise<readonly string[]> {
  const found = await find(session);
  return found.length > 0 && (await isMigrated(session)) ? [] : found;
}

/**
 * Migrates the tables inside the transaction that the session has begun, so no other process sees them before its end.
 * Leaves tables of a newer release as they are. After an error, PostgreSQL accepts only the rollback.
 *
 * @throws {SchemaError} when a newer release has changed the tables so that this one cannot serve them
 */
export async function migrateInTransaction(session: Session, known = migrations): Promise<void> {
  if ((await newerMigrations(session, known)).length > 0) return;
  await lockMigrations(session.db);
  await requireFreeNames(session);
  if (!(await isMigrated(session))) await requireRightToMakeTables(session);
  const { error } = await migratorOf(session, known).migrateToLatest({ disableTransactions: true });
  if (error !== undefined) throw explainMigrationError(error);
}

/**
 * Throws the database's own error if it lets this role make no tables. Kysely would ask next whether its table exists,
 * which PostgreSQL refuses in a failed transaction, and would report that refusal instead.
 */
async function requireRightToMakeTables({ db }: Session): Promise<void> {
  const trial = db.schema.createTable('fieldroster_trial').addColumn('id', 'integer').execute();
  await trial.catch((error: unknown) => {
    throw explainMigrationError(error);
  });
  await db.schema.dropTable('fieldroster_trial').execute();
}

/**
 * Returns the names of the pending migrations, in order; none if a newer release has changed the tables.
 *
 * @throws {SchemaError} when this release cannot serve those tables
 */
export async function pendingMigrations(session: Session, known = migrations): Promise<string[]> {
  if ((await newerMigrations(session, known)).length > 0) return [];
  const found = await migratorOf(session, known).getMigrations();
  return found.filter(notExecuted).map(({ name }) => name);
}

/** Returns whether a migration of any release was executed. */
export async function isMigrated({ db }: Session): Promise<boolean> {
  return (await executedMigrations(db)).length > 0;
}

/** Returns whether the tables are of a release whose processes report their keys. */
export async function hasKeyHolders({ db }: Session): Promise<boolean> {
  return (await executedMigrations(db)).includes('004-keys');
}

/** Returns whether the tables are of a release whose processes report their clocks. */
export async function hasProcessClocks({ db }: Session): Promise<boolean> {
  return (await executedMigrations(db)).includes('015-process-clock');
}

/** Returns the executed migrations that this release does not know, whether or not it can serve them. */
export async function unknownMigrations({ db }: Session, known = migrations): Promise<string[]> {
  return (await executedMigrations(db)).filter((name) => !(name in known));
}

/**
 * @param location what the message calls the database
 * @returns the migrations of a newer release, as `migrate` does
 * @throws {SchemaError} when there are no tables, they are older than this release, or they are of a newer one that it
 *   cannot serve
 */
export async function requireServableSchema(session: Session, location: string): Promise<readonly string[]> {
  await requireTables(session, location);
  const pending = await pendingMigrations(session);
  if (pending.length > 0) throw new SchemaError(olderTables(pending));
  return newerMigrations(session, migrations);
}

/**
 * Checks the tables for work that must know every table and column, such as a copy.
 *
 * @throws {SchemaError} when the tables are not exactly those of this release
 */
export async function requireOwnSchema(session: Session, location: string): Promise<void> {
  const newer = await requireServableSchema(session, location);
  if (newer.length === 0) return;
  throw new SchemaError(newerTables(newer, 'this release would lose data that it added'));
}

function notExecuted({ executedAt }: MigrationInfo): boolean {
  return executedAt === undefined;
}

function migratorOf(session: Session, known: Migrations): Migrator {
  const provided = Object.fromEntries(
    Object.entries(known).map(([name, migration]) => [
      name,
      { up: (transaction: Kysely<unknown>) => run(migration, transaction, session.engine) },
    ]),
  );
  return new Migrator({ db: session.db, provider: { getMigrations: async () => provided } });
}

/** Runs a migration. Records the oldest release that can still serve, in a table that earlier releases read. */
async function run(
  { up, servesFrom }: Migration,
  transaction: Kysely<unknown>,
  engine: Engine,
): Promise<void> {
  await up(transaction, engine.name);
  const db = transaction as Kysely<Schema>;
  const before = await readServesFrom(db);
  // The names begin with numbers, so they sort by age.
  const value = before !== undefined && before > servesFrom ? before : servesFrom;
  await db
    .insertInto('setting')
    .values({ name: servesFromSetting, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Names a migration. A release that knows it can serve the tables despite unknown changes. */
const servesFromSetting = 'serves_from_migration';

async function readServesFrom(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', servesFromSetting)
    .executeTakeFirst();
  return row?.value;
}

/** @throws {SchemaError} when there are some that this release cannot serve */
async function newerMigrations({ db }: Session, known: Migrations): Promise<readonly string[]> {
  const executed = await executedMigrations(db);
  const newer = executed.filter((name) => !(name in known));
  if (newer.length === 0) return [];
  const servesFrom = await readServesFrom(db);
  const lacks = Object.keys(known).some((name) => !executed.includes(name));
  if (servesFrom !== undefined && servesFrom in known && !lacks) return newer;
  throw new SchemaError(
    `the database was changed by a newer release (${newer.join(', ')}), and this release cannot serve it; start the ` +
      'newer release, or restore a backup from before the change',
  );
}

/**
 * Returns the executed migrations. Kysely keeps them in its own table, which a new database lacks. Another program's table
 * of that name has none that we know.
 */
async function executedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const table = tables.find(({ name }) => name === migrationTable);
  if (table === undefined) return [];
  const untyped = db as unknown as Kysely<Record<typeof migrationTable, { name: string }>>;
  const rows = await untyped
    .selectFrom(migrationTable)
    .select('name')
    .execute()
    .catch((error: Error) => {
      throw isUndefinedTable(error) ? outOfSight(table.schema, error) : error;
    });
  const names = rows.map(({ name }) => name);
  return names.some((name) => name in migrations) ? names : [];
}

export const noSchemaInSight =
  'the role of this connection may use no schema that its search_path names: correct search_path, or grant the role usage ' +
  'and create on the schema';

function explainMigrationError(error: unknown): unknown {
  return hasNoSchema(error) ? new SchemaError(noSchemaInSight, { cause: error }) : error;
}

/** Recognises PostgreSQL's error `invalid_schema_name`. */
function hasNoSchema(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '3F000';
}

/** undefined_table of PostgreSQL */
function isUndefinedTable(error: Error): boolean {
  return 'code' in error && error.code === '42P01';
}

function outOfSight(schema: string | undefined, cause: Error): SchemaError {
  return new SchemaError(
    `the tables of Fieldroster are in the schema ${schema}, but the search_path of this connection does not name it: set ` +
      `search_path to ${schema} for the role and the database, and remove it from the database URL`,
    { cause },
  );
}

const migrationTable = DEFAULT_MIGRATION_TABLE;
