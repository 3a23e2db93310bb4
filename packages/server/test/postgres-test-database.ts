import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../src/database/postgres/open.ts';
import type { TestDatabase, TestDatabaseOptions } from './test-database-parts.ts';
import { openTestPostgres, patient, testDatabaseVariable } from './test-postgres.ts';

/** Opens the folder's own PostgreSQL database on the server that the environment names. */
export async function openPostgresTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const url = await databaseOf(options.folder);
  const database = await openPostgresDatabase({
    ...patient,
    url,
    now: options.now,
  });
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  return {
    database,
    db,
    bookkeeping: db,
    faults: {
      locked: /canceling statement due to user request/,
      missingTable: (name) => new RegExp(`relation "${name}" does not exist`),
    },
    whileLocked: (work) => withWritesLocked(url, options.lockWaitMs, work),
    async dropUsers() {
      await sql`drop table "user" cascade`.execute(db);
    },
    async close() {
      await database.close();
      await db.destroy();
    },
  };
}

const databases = new Map<string, Promise<string>>();

function databaseOf(folder: string): Promise<string> {
  const known = databases.get(folder);
  if (known !== undefined) return known;
  const created = createDatabase();
  databases.set(folder, created);
  return created;
}

async function createDatabase(): Promise<string> {
  // A server for each of the many test files would take most of their time.
  if (!process.env[testDatabaseVariable])
    throw new Error(`${testDatabaseVariable} is not set; \`npm test\` starts a PostgreSQL and sets it`);
  return (await openTestPostgres()).createMigratedDatabase();
}

/**
 * Runs work while no write can commit: every write leaves a claim or an audit row in one of these tables. A write that
 * waits for longer than the limit is cancelled. A limit of the server's connections would also cut short its waits for
 * other tests: a commit that notifies takes a lock shared by all databases.
 */
async function withWritesLocked<T>(url: string, lockWaitMs: number, work: () => Promise<T>): Promise<T> {
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  const working = new AbortController();
  try {
    return await db.transaction().execute(async (transaction) => {
      // However long the work takes, the database must not end this session.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`lock table accepted_write, accepted_nonce, audit_event in exclusive mode`.execute(
        transaction,
      );
      const cancelling = cancelWaits(url, lockWaitMs, working.signal);
      // Rejects where it is awaited.
      cancelling.catch(() => {});
      try {
        return await work();
      } finally {
        working.abort();
        await cancelling;
      }
    });
  } finally {
    await db.destroy();
  }
}

/** Cancels every statement that waits for a lock for longer than the limit, until the signal. */
async function cancelWaits(url: string, lockWaitMs: number, signal: AbortSignal): Promise<void> {
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  try {
    while (!signal.aborted) {
      await sql`select pg_cancel_backend(pid) from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted
      and waitstart < clock_timestamp() - make_interval(secs => ${lockWaitMs / 1_000})`.execute(db);
      await delay(20);
    }
  } finally {
    await db.destroy();
  }
}
