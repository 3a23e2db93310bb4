import type { Kysely } from 'kysely';
import type { Database } from '../src/database/database.ts';
import type { Schema } from '../src/database/queries/schema.ts';

/** A test server's database, and the ways into it that tests need beside the server. */
export interface TestDatabase {
  readonly database: Database;
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
