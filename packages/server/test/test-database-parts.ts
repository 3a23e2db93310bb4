import type { Kysely } from 'kysely';
import type { Database } from '../src/database/database.ts';
import type { Schema } from '../src/database/queries/schema.ts';

/** Set to `postgres`, it runs every test server on PostgreSQL; the default is SQLite. */
export const testEngineVariable = 'FIELDROSTER_TEST_ENGINE';

/** A test server's database, with the access that tests need beside the server. */
export interface TestDatabase {
  readonly database: Database;
  /** The test's own connection, separate from the server's. */
  readonly db: Kysely<Schema>;
  /** The test's own connection to the bookkeeping. */
  readonly bookkeeping: Kysely<Schema>;
  readonly faults: EngineFaults;
  /** Runs the work while another connection blocks every write of the server. */
  whileLocked<T>(work: () => Promise<T>): Promise<T>;
  /** Drops the users' table. */
  dropUsers(): Promise<void>;
  close(): Promise<void>;
}

/** Patterns of the engine's error messages, which the log repeats. */
export interface EngineFaults {
  readonly locked: RegExp;
  missingTable(name: string): RegExp;
}

export interface TestDatabaseOptions {
  /** The same folder means the same database, on every engine. */
  readonly folder: string;
  readonly now: () => number;
  /** How long a write waits for another connection's lock, in milliseconds. */
  readonly lockWaitMs: number;
}
