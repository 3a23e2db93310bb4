import { sql } from 'kysely';
import { causesOf } from '../../errors/causes-of.ts';
import type { Faults, Inspection } from '../database.ts';
import { isMigrated, noSchemaInSight, requireFreeNames, SchemaError } from '../migrations/migrate.ts';
import { noTablesIn } from '../migrations/schema-messages.ts';
import { faultsOf, noFaults } from '../queries/inspection/faults.ts';
import { inspectTables, isOfThisRelease } from '../queries/inspection/inspect-tables.ts';
import { findLinksWithoutTenant } from '../queries/inspection/links-without-tenant.ts';
import { findOrphans } from '../queries/inspection/orphans.ts';
import { bookkeepingReferences, directoryReferences } from '../queries/inspection/references.ts';
import type { Session } from '../queries/session.ts';
import { parseDatabaseUrl } from './connections/database-url.ts';
import { DatabaseClock } from './database-clock.ts';
import { codeOf } from './errors/error-code.ts';
import { sqlStates } from './errors/sql-states.ts';
import { findLockHolders, isLockedOut } from './locks/lock-holders.ts';
import { commandConnectTimeoutMs, openReadingSession } from './open.ts';
import { findChangeOrderFaults, findSilentTriggers } from './tables/change-order.ts';
import {
  findClosedTables,
  findMissingParts,
  findSearchFaults,
  relationNames,
} from './tables/schema-parts.ts';

/** How long a statement waits for a lock that stops even reads, in milliseconds. */
const lockTimeoutMs = 5_000;

/**
 * Opens a database for an inspection, with one connection that cannot write.
 *
 * @param connectTimeoutMs the setting of the servers, if known
 */
export async function openPostgresInspection(
  url: string,
  now: () => number,
  connectTimeoutMs?: number,
): Promise<Inspection> {
  const { location } = parseDatabaseUrl(url);
  const session = openReadingSession(url, commandConnectTimeoutMs(connectTimeoutMs), lockTimeoutMs);
  try {
    // A database that cannot be reached is a finding of its own, which the checks would repeat.
    await sql`select 1`.execute(session.db);
    await requireTablesInSight(session, location);
  } catch (error) {
    await session.db.destroy();
    throw error;
  }
  const clock = new DatabaseClock(session.db, { now, elapsedMs: () => performance.now() });
  const tables = inspectTables(session, () => clock.timeMs());
  return {
    ...tables,
    engine: 'postgres',
    location,
    databaseTimeMs: () => clock.timeMs(),
    async clockDifferenceMs() {
      await clock.timeMs();
      return clock.differenceMs();
    },
    newestFailedCall: () => findNewestFailedCall(session),
    findLockHolders: (longMs) => findLockHolders(session, longMs),
    engineSettings: () => readEngineSettings(session),
    connectionsMax: async () => Number(await show(session, 'max_connections')),
    findDamage: () => findDamage(session),
    findBookkeepingFault: async () => undefined,
    findBrokenForeignKeys: () => findUncheckedForeignKeys(session),
    findOrphans: async () => [
      ...(await findOrphans(session, [...directoryReferences, ...bookkeepingReferences])),
      ...(await findLinksWithoutTenant(session)),
    ],
    findMissingParts: async () => ((await isOfThisRelease(tables)) ? findMissingParts(session) : noFaults),
    findSearchFaults: () => findSearchFaults(session),
    // PostgreSQL itself keeps the index of the search.
    findSearchDifferences: async () => noFaults,
    findClosedTables: () => findClosedTables(session),
    findSilentTriggers: () => findSilentTriggers(session),
    findChangeOrderFaults: () => findChangeOrderFaults(session),
    damageIn,
    isLockedOut,
    close: () => session.db.destroy(),
  };
}

/** Reads the settings that decide whether acknowledged writes survive a power cut. */
async function readEngineSettings(session: Session) {
  return [
    { name: 'fsync', value: await show(session, 'fsync'), wanted: 'on' },
    { name: 'full_page_writes', value: await show(session, 'full_page_writes'), wanted: 'on' },
    // Only this value can lose acknowledged writes in a power cut; the others concern replicas. A server behind PgBouncer
    // cannot replace it for all of its connections.
    ...((await preferred(session, 'synchronous_commit')) === 'off'
      ? [{ name: 'synchronous_commit', value: 'off', wanted: 'on' }]
      : []),
  ];
}

const damageCodes = new Set<string>([sqlStates.dataCorrupted, sqlStates.indexCorrupted, sqlStates.ioError]);

function damageIn(error: unknown): string | undefined {
  const damage = causesOf(error).find((cause) => damageCodes.has(codeOf(cause)));
  return damage && `is damaged (${damage.message})`;
}

/** @throws {SchemaError} when there are no tables in sight, which would fail every check with a cause of its own */
async function requireTablesInSight(session: Session, location: string): Promise<void> {
  try {
    const hasTables = await isMigrated(session);
    const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(session.db);
    if (rows[0]?.name === null) throw new SchemaError(noSchemaInSight);
    await requireFreeNames(session);
    if (!hasTables) throw new SchemaError(noTablesIn(location));
  } catch (error) {
    // The checks report anything else.
    if (error instanceof SchemaError) throw error;
  }
}

async function show({ db }: Session, name: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db);
  return rows[0]?.value ?? '';
}

/** Returns the value with which connections begin, which this one may have replaced. */
async function preferred({ db }: Session, name: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    select reset_val as value from pg_settings where name = ${name}`.execute(db);
  return rows[0]?.value ?? '';
}

/** The schema that holds our tables, which the connection's search path names. Other programs may use other schemas. */
const ourSchema = sql`quote_ident(current_schema())::regnamespace`;

/** PostgreSQL has no check of a whole database; these are its own signs of damage, and amcheck where it is installed. */
async function findDamage(session: Session): Promise<Faults> {
  return faultsOf([
    ...(await failedChecksums(session)),
    ...(await invalidIndexes(session)),
    ...(await damagedIndexes(session)),
  ]);
}

async function failedChecksums({ db }: Session): Promise<string[]> {
  const { rows } = await sql<{ failures: bigint | null }>`
    select checksum_failures as failures from pg_stat_database where datname = current_database()`.execute(
    db,
  );
  const failures = rows[0]?.failures ?? 0n;
  return failures > 0n ? [`${failures} pages failed their checksum`] : [];
}

async function invalidIndexes({ db }: Session): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select index.oid::regclass::text as name from pg_index
    join pg_class as index on index.oid = indexrelid and index.relnamespace = ${ourSchema}
    where not indisvalid`.execute(db);
  return rows.map(({ name }) => `the index ${name} is invalid`);
}

async function findNewestFailedCall({ db }: Session): ReturnType<Inspection['newestFailedCall']> {
  const row = await db
    .selectFrom('failed_call')
    .select(['request_id', 'at'])
    .orderBy('at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { requestId: row.request_id, atMs: Number(row.at) };
}

async function damagedIndexes({ db }: Session): Promise<string[]> {
  const installed = await sql`select 1 from pg_extension where extname = 'amcheck'`.execute(db);
  if (installed.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select index.oid::regclass::text as name from pg_class as index
    join pg_am on pg_am.oid = index.relam and pg_am.amname = 'btree'
    where index.relkind = 'i' and index.relnamespace = ${ourSchema}`.execute(db);
  const faults: string[] = [];
  for (const { name } of rows) {
    await sql`select bt_index_check(${name}::regclass)`
      .execute(db)
      .catch((error: Error) => void faults.push(`${name}: ${error.message}`));
  }
  return faults;
}

/**
 * PostgreSQL enforces the references of our tables, unless somebody added one without checking the rows that were there.
 * Other programs may have tables in the same database.
 */
async function findUncheckedForeignKeys({ db }: Session): Promise<Faults> {
  const { rows } = await sql<{ name: string }>`
    select conrelid::regclass || '.' || conname as name from pg_constraint
    where contype = 'f' and conrelid in (select to_regclass(name) from unnest(${relationNames}::text[]) as name)
      and (not convalidated or exists (
      select 1 from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled = 'D'))
    order by 1`.execute(db);
  return faultsOf(rows.map(({ name }) => `the reference ${name} is not enforced`));
}
