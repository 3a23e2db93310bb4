import type { Kysely } from 'kysely';
import type { Store } from '../src/database/database.ts';
import type { Schema } from '../src/database/queries/schema.ts';
import { openPostgresTestDatabase } from './postgres-test-database.ts';
import { openSqliteTestDatabase } from './sqlite-test-database.ts';

/** A test server's database, and the ways into it that tests need beside the server. */
export interface TestDatabase {
  readonly store: Store;
  /** A connection of the test's own, beside the server's. */
  readonly db: Kysely<Schema>;
  readonly faults: EngineFaults;
  /** Does the work while another connection keeps every write of the server waiting. */
  whileLocked<T>(work: () => Promise<T>): Promise<T>;
  /** Takes the users' table away. */
  dropUsers(): Promise<void>;
  close(): Promise<void>;
}

/** How the engine puts a fault into words, which the log repeats. */
export interface EngineFaults {
  readonly locked: RegExp;
  missingTable(name: string): RegExp;
}

export interface TestDatabaseOptions {
  /** The same folder is the same database, on every engine. */
  readonly folder: string;
  readonly now: () => number;
  /** How long a write waits for another connection's lock. */
  readonly lockWaitMs: number;
}

/** `postgres` has every test server serve from PostgreSQL; otherwise it is SQLite. */
export const testEngineVariable = 'FIELDROSTER_TEST_ENGINE';

export function openTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const engine = process.env[testEngineVariable] || 'sqlite';
  if (engine === 'sqlite') return openSqliteTestDatabase(options);
  if (engine === 'postgres') return openPostgresTestDatabase(options);
  throw new RangeError(`${testEngineVariable} is "${engine}"; it must be sqlite or postgres`);
}
