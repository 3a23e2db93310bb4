import { sql } from 'kysely';
import { type CopySession, CopyUnderWayError } from '../copy-session.ts';
import { migrateInTransaction, requireNoForeignTables, requireOwnSchema } from '../migrations/migrate.ts';
import { type Migrations, migrations } from '../migrations/migrations.ts';
import { refreshAllStatistics } from '../queries/imports/copy-tables.ts';
import type { Session } from '../queries/session.ts';
import { parseDatabaseUrl } from './connections/database-url.ts';
import { readTimeMs } from './database-clock.ts';
import { commandConnectTimeoutMs, openSessionWithoutTimeout } from './open.ts';
import { requireUtf8 } from './require-utf8.ts';
import { retryMakingTables } from './transactions/retry-after-race.ts';
import { commit, rollBack } from './transactions/run-transaction.ts';

/** Key of the advisory lock held by the one copy into a database; an arbitrary number that nobody else uses. */
const copyLock = 4_711_202_601n;

export interface CopyEndOptions {
  /** The servers' longest time to open a connection, in milliseconds, if known. */
  readonly connectTimeoutMs?: number | undefined;
}

export interface CopyTargetOptions extends CopyEndOptions {
  /** The migrations that make missing tables; those of this release when left out. */
  readonly known?: Migrations;
}

/** Opens a database for reading a snapshot of its current state. */
export async function openPostgresSource(url: string, options: CopyEndOptions = {}): Promise<CopySession> {
  return open(url, options, async (session) => {
    await sql`begin isolation level repeatable read, read only`.execute(session.db);
    await limitWaits(session);
    await requireOwnSchema(session, parseDatabaseUrl(url).location);
  });
}

/**
 * Opens the database for writing, and creates missing tables in the same transaction. A killed process therefore leaves
 * no tables behind, and a server that starts meanwhile waits for the end.
 *
 * @throws {DatabaseEncodingError} when it is not in UTF-8
 * @throws {CopyUnderWayError} when another copy into it is under way
 * @throws {ForeignTablesError} when it has no directory, but tables of other programs
 */
export async function openPostgresTarget(
  url: string,
  { known = migrations, ...options }: CopyTargetOptions = {},
): Promise<CopySession> {
  const { location } = parseDatabaseUrl(url);
  return open(url, options, async (session) => {
    await requireUtf8(session, location);
    await retryMakingTables(() => beginFilling(session, location, known));
  });
}

async function beginFilling(session: Session, location: string, known: Migrations): Promise<void> {
  await sql`begin isolation level read committed`.execute(session.db);
  try {
    await limitWaits(session);
    const locked = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${copyLock}) as locked`;
    const { rows } = await locked.execute(session.db);
    if (rows[0]?.locked !== true) throw new CopyUnderWayError(location);
    await requireNoForeignTables(session, location);
    await migrateInTransaction(session, known);
    if (known === migrations) await requireOwnSchema(session, location);
  } catch (error) {
    await rollBack(session.db);
    throw error;
  }
}

/**
 * Lets a backup or a restore end with an error when somebody keeps a table locked, unless the operator set a limit. A slow
 * disk may hold it up for longer than other transactions may be idle. A pooler gives the connection to others later, so
 * both apply to the transaction alone.
 */
async function limitWaits({ db }: Session): Promise<void> {
  await sql`select set_config('lock_timeout', '1min', true) where current_setting('lock_timeout') = '0'`.execute(
    db,
  );
  await sql`set local idle_in_transaction_session_timeout = '30min'`.execute(db);
}

async function open(
  url: string,
  { connectTimeoutMs }: CopyEndOptions,
  begin: (session: Session) => Promise<void>,
): Promise<CopySession> {
  const session = openSessionWithoutTimeout(url, commandConnectTimeoutMs(connectTimeoutMs));
  try {
    await begin(session);
  } catch (error) {
    await session.db.destroy();
    throw error;
  }
  return {
    session,
    bookkeeping: { read: (work) => work(session), write: (work) => work(session) },
    location: parseDatabaseUrl(url).location,
    timeMs: () => readTimeMs(session.db),
    commit: () => commit(session.db),
    async close() {
      // The end of a connection frees the locks a moment later, and the next copy would be refused until then.
      await rollBack(session.db);
      await session.db.destroy();
    },
  };
}

/** Refreshes the statistics of restored tables. */
export async function settlePostgres(url: string, { connectTimeoutMs }: CopyEndOptions = {}): Promise<void> {
  const session = openSessionWithoutTimeout(url, commandConnectTimeoutMs(connectTimeoutMs));
  try {
    await refreshAllStatistics(session);
  } finally {
    await session.db.destroy();
  }
}
