import type { AliasedRawBuilder, Kysely, SelectQueryBuilder } from 'kysely';
import type { Schema } from './schema.ts';

/** A column of rows that travel as JSON. */
export interface RowColumn {
  readonly name: string;
  readonly type: 'int64' | 'text';
}

/** What the shared queries must know of the engine that they run on; each engine's folder has its own. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** Gives out the next user id, unique over all tenants. */
  takeUserId(db: Kysely<Schema>): Promise<bigint>;
  /** Adds the row lock, where the engine lets several writers in at once. */
  lockRows<Output>(
    query: SelectQueryBuilder<Schema, 'user', Output>,
  ): SelectQueryBuilder<Schema, 'user', Output>;
  /** A list of codes as one parameter of the kind that `codeTable` reads. */
  encodeCodes(codes: readonly string[]): unknown;
  /** That parameter as a table `listed` with one column `code`. */
  codeTable(encodedCodes: unknown): AliasedRawBuilder<{ code: string }, 'listed'>;
  /** A JSON text, an array of arrays, as a table `given` with one row for each inner array. */
  rowTable(json: string, columns: readonly RowColumn[]): AliasedRawBuilder<Record<string, unknown>, 'given'>;
  /** Lets the engine look at a table again that was filled at once; its plans were made for a small one. */
  refreshStatistics(db: Kysely<Schema>, table: keyof Schema): Promise<void>;
  /** Tells the other processes, once the transaction is committed, that credentials changed. */
  announceCredentials(db: Kysely<Schema>): Promise<void>;
  /** The id that was given out last; a copy goes on from there, so that no id is ever used twice. */
  lastUserId(db: Kysely<Schema>): Promise<bigint>;
  setLastUserId(db: Kysely<Schema>, id: bigint): Promise<void>;
  /** Lets the engine's own keys go on above the rows that a copy has brought. */
  catchUpGeneratedKeys(db: Kysely<Schema>): Promise<void>;
}

/** A connection, pool or transaction together with the engine behind it. */
export interface Session {
  readonly db: Kysely<Schema>;
  readonly engine: Engine;
  /** Runs a statement within the process, where the engine is there; what the query builder adds is saved. */
  readonly runNow?: (sql: string, parameters: readonly unknown[]) => unknown[];
}
