import { sql } from 'kysely';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../src/database/postgres/open.ts';
import type { TestDatabase, TestDatabaseOptions } from './test-database-parts.ts';
import { openTestPostgres, patient, testDatabaseVariable } from './test-postgres.ts';

/** Opens the folder's own PostgreSQL database on the server that the environment names. */
export async function openPostgresTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const url = await databaseOf(options.folder);
  const database = await openPostgresDatabase({
    ...patient,
    url: withLockTimeout(url, options.lockWaitMs),
    now: options.now,
  });
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  return {
    database,
    db,
    bookkeeping: db,
    faults: {
      locked: /canceling statement due to lock timeout/,
      missingTable: (name) => new RegExp(`relation "${name}" does not exist`),
    },
    whileLocked: (work) => withWritesLocked(url, work),
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

/** A commit that notifies takes a lock shared by all databases of the server, including those of other tests. */
const lockWaitMinMs = 200;

function withLockTimeout(url: string, lockWaitMs: number): string {
  const limited = new URL(url);
  limited.searchParams.set('options', `-c lock_timeout=${Math.max(lockWaitMs, lockWaitMinMs)}`);
  // The driver does not decode `+` as a space.
  return limited.href.replaceAll('+', '%20');
}

/** Runs work while no write can commit: every write leaves a claim or an audit row in one of these tables. */
async function withWritesLocked<T>(url: string, work: () => Promise<T>): Promise<T> {
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`lock table accepted_write, accepted_nonce, audit_event in exclusive mode`.execute(
        transaction,
      );
      return work();
    });
  } finally {
    await db.destroy();
  }
}
