import type { Kysely } from 'kysely';
import { type MigrationInfo, Migrator } from 'kysely/migration';
import type { Schema } from '../queries/schema.ts';
import type { Engine, Session } from '../queries/session.ts';
import { initial } from './001-initial.ts';

/** Changes the tables. It may only add: processes of the previous release go on while it runs. */
export type MigrationStep = (db: Kysely<unknown>, engine: Engine['name']) => Promise<void>;

/** One change of the tables. */
export interface Migration {
  readonly up: MigrationStep;
  /**
   * The oldest release that can serve the tables with this change, named by the last migration that it brought. That
   * is the previous release's where the change only adds what that release never looks at. It is this migration
   * itself where no release before can serve with it.
   */
  readonly servesFrom: string;
}

export type Migrations = Readonly<Record<string, Migration>>;

/** Every change of the tables, in order. One that was released is never edited; a new one follows it. */
export const migrations: Migrations = {
  '001-initial': { up: initial, servesFrom: '001-initial' },
};

/** The tables do not fit this release; the message says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * Brings the tables to this release. Processes that start at once wait for each other.
 *
 * @returns the migrations of a newer release that the tables have beyond this one, which can serve with them
 * @throws {SchemaError} when a newer release has changed the tables in a way that this one cannot serve with
 */
export async function migrate(session: Session, known = migrations): Promise<readonly string[]> {
  const newer = await newerMigrations(session, known);
  if (newer.length > 0) return newer;
  const { error } = await migratorOf(session, known).migrateToLatest();
  if (error === undefined) return [];
  // A node of the newer release may have been quicker, and has changed the tables meanwhile.
  const newerNow = await newerMigrations(session, known);
  if (newerNow.length > 0) return newerNow;
  throw error;
}

/** Names the migrations that have not run yet, in order. Throws `SchemaError` for newer tables that this release cannot serve. */
export async function pendingMigrations(session: Session, known = migrations): Promise<string[]> {
  if ((await newerMigrations(session, known)).length > 0) return [];
  const found = await migratorOf(session, known).getMigrations();
  return found.filter(notExecuted).map(({ name }) => name);
}

/**
 * @returns the migrations of a newer release, as `migrate` does
 * @throws {SchemaError} when the tables are older than this release, or newer in a way that it cannot serve with
 */
export async function requireServableSchema(session: Session): Promise<readonly string[]> {
  const pending = await pendingMigrations(session);
  if (pending.length > 0) {
    throw new SchemaError(`the database lacks ${pending.join(', ')}; run: fieldroster migrate`);
  }
  return newerMigrations(session, migrations);
}

/**
 * For what must know every table and column, as a copy does.
 *
 * @throws {SchemaError} when the tables are not exactly those of this release
 */
export async function requireOwnSchema(session: Session): Promise<void> {
  const newer = await requireServableSchema(session);
  if (newer.length === 0) return;
  throw new SchemaError(
    `the database was changed by a newer release (${newer.join(', ')}), of which this one would lose data; ` +
      'run this command with the newer release',
  );
}

/** What the log says of a server that serves newer tables. */
export function newerTablesNotice(newer: readonly string[]): string {
  return (
    `the database was changed by a newer release (${newer.join(', ')}); this release can serve it, but knows nothing ` +
    'of what was added: end the rollback or the upgrade soon'
  );
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

/** Runs a migration and records, where releases before it find it, which of them can serve with it. */
async function run(
  { up, servesFrom }: Migration,
  transaction: Kysely<unknown>,
  engine: Engine,
): Promise<void> {
  await up(transaction, engine.name);
  const db = transaction as Kysely<Schema>;
  const before = await readServesFrom(db);
  // The names are numbered, so that they sort by age.
  const value = before !== undefined && before > servesFrom ? before : servesFrom;
  await db
    .insertInto('setting')
    .values({ name: servesFromSetting, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** A release finds here whether it can serve tables with changes that it does not know: whether it knows this migration. */
const servesFromSetting = 'serves_from_migration';

async function readServesFrom(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', servesFromSetting)
    .executeTakeFirst();
  return row?.value;
}

/** @throws {SchemaError} when there are some with which this release cannot serve */
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

/** Kysely keeps them in a table of its own, which a new database does not have. */
async function executedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === migrationTable)) return [];
  const untyped = db as unknown as Kysely<Record<typeof migrationTable, { name: string }>>;
  const rows = await untyped.selectFrom(migrationTable).select('name').execute();
  return rows.map(({ name }) => name);
}

const migrationTable = 'kysely_migration';
