import type { Kysely } from 'kysely';
import { type MigrationInfo, Migrator } from 'kysely/migration';
import type { Schema } from '../kysely/schema.ts';
import type { Engine, Session } from '../kysely/session.ts';
import { initial } from './001-initial.ts';

/** One change of the tables. It may only add: processes of the release before go on while it runs. */
export type MigrationStep = (db: Kysely<unknown>, engine: Engine['name']) => Promise<void>;

/** Every change of the tables, in order. One that was released is never edited; a new one follows it. */
export const migrationSteps: Readonly<Record<string, MigrationStep>> = {
  '001-initial': initial,
};

/** The tables do not fit this release; the message says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * Brings the tables to this release. Processes that start at once wait for each other.
 *
 * @throws {SchemaError} when a newer release has changed the tables already
 */
export async function migrate(session: Session, steps = migrationSteps): Promise<void> {
  await refuseNewerSchema(session, steps);
  const { error } = await migratorOf(session, steps).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Names the migrations that have not run yet, in order. Throws `SchemaError` for newer tables. */
export async function pendingMigrations(session: Session, steps = migrationSteps): Promise<string[]> {
  await refuseNewerSchema(session, steps);
  const migrations = await migratorOf(session, steps).getMigrations();
  return migrations.filter(notExecuted).map(({ name }) => name);
}

/** @throws {SchemaError} when the tables are older or newer than this release */
export async function requireCurrentSchema(session: Session): Promise<void> {
  const pending = await pendingMigrations(session);
  if (pending.length > 0) {
    throw new SchemaError(`the database lacks ${pending.join(', ')}; run: fieldroster migrate`);
  }
}

function notExecuted({ executedAt }: MigrationInfo): boolean {
  return executedAt === undefined;
}

function migratorOf({ db, engine }: Session, steps: Readonly<Record<string, MigrationStep>>): Migrator {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      { up: (transaction: Kysely<unknown>) => step(transaction, engine.name) },
    ]),
  );
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

async function refuseNewerSchema(
  { db }: Session,
  steps: Readonly<Record<string, MigrationStep>>,
): Promise<void> {
  const newer = (await executedMigrations(db)).filter((name) => !(name in steps));
  if (newer.length === 0) return;
  throw new SchemaError(
    `the database was changed by a newer release (${newer.join(', ')}); start that release, or restore a backup from before`,
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
