import type { AliasedRawBuilder, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { CandidateSource } from './lists/candidate-source.ts';
import type { Schema } from './schema.ts';

/** A column of rows that travel as JSON. */
export interface RowColumn {
  readonly name: string;
  readonly type: 'int64' | 'text';
}

/** The tables whose rows are read in order to be changed. */
export type LockedTable = 'user' | 'role' | 'org' | 'store' | 'tenant';

/** How an engine finds the users that hold a text. */
export interface UserSearch {
  /** Whether one of the searched columns of a row of `user`, under this alias, holds the text. */
  matches(alias: string, text: string): RawBuilder<unknown>;
  /**
   * The users that may hold the text, and few others, through an index; nothing where none knows the text.
   * Each of them is to be asked whether it `matches`.
   */
  source(session: Session, tenantId: bigint, text: string): Promise<CandidateSource | undefined>;
}

/** What the shared queries must know of the engine that they run on; each engine's folder has its own. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /**
   * How many rows are changed fastest: an engine in the process runs one statement for each, and one that is a round
   * trip away takes them all in a single statement.
   */
  readonly manyRows: 'one-by-one' | 'together';
  /** Gives out the next user id, unique over all tenants. */
  takeUserId(session: Session): Promise<bigint>;
  /** Gives out several at once, ascending. */
  takeUserIds(session: Session, count: number): Promise<bigint[]>;
  /** Adds the row lock, where the engine lets several writers in at once. */
  lockRows<Table extends LockedTable, Output>(
    query: SelectQueryBuilder<Schema, Table, Output>,
  ): SelectQueryBuilder<Schema, Table, Output>;
  /** Adds the row lock of a removal, which keeps away also those who would refer to the row. */
  lockRowsToRemove<Table extends LockedTable, Output>(
    query: SelectQueryBuilder<Schema, Table, Output>,
  ): SelectQueryBuilder<Schema, Table, Output>;
  /** A list of codes as one parameter of the kind that `codeTable` reads. */
  encodeCodes(codes: readonly string[]): unknown;
  /** That parameter as a table `listed` with one column `code`. */
  codeTable(encodedCodes: unknown): AliasedRawBuilder<{ code: string }, 'listed'>;
  /** Whether a column holds one of the codes of that parameter, found through an index of the column. */
  isListed(column: string, encodedCodes: unknown): RawBuilder<SqlBool>;
  /** A JSON text, an array of arrays, as a table `given` with one row for each inner array. */
  rowTable(json: string, columns: readonly RowColumn[]): AliasedRawBuilder<Record<string, unknown>, 'given'>;
  /** Lets the engine look at a table again that was filled at once; its plans were made for a small one. */
  refreshStatistics(db: Kysely<Schema>, table: keyof Schema): Promise<void>;
  /** The rows of a query on each row of `given`, joined to it: a table `listed` with one column `value`. */
  forEachGiven(query: RawBuilder<unknown>, column: string): RawBuilder<unknown>;
  readonly search: UserSearch;
  /**
   * The counter `purged_through`, for a statement that inserts a claim. It must see every purge that was committed
   * before the row was inserted; see `claims.ts`.
   */
  readonly purgedThrough: RawBuilder<bigint>;
  /** Tells the other processes, once the transaction is committed, that credentials changed. */
  announceCredentials(session: Session): Promise<void>;
  /** The id that was given out last; a copy goes on from there, so that no id is ever used twice. */
  lastUserId(db: Kysely<Schema>): Promise<bigint>;
  setLastUserId(db: Kysely<Schema>, id: bigint): Promise<void>;
  /** Lets the engine's own keys go on above the rows that a copy has brought. */
  catchUpGeneratedKeys(db: Kysely<Schema>): Promise<void>;
}

/** Runs statements that are compiled, without the layers of the query builder where the engine allows it. */
export interface Statements {
  /** Returns the rows of one statement. */
  all(sql: string, parameters: readonly unknown[]): unknown[] | Promise<unknown[]>;
  /** Runs a statement that returns no rows, once for each list of parameters. */
  each(sql: string, rows: Iterable<readonly unknown[]>): void | Promise<void>;
}

/** A connection, pool or transaction together with the engine behind it. */
export interface Session {
  readonly db: Kysely<Schema>;
  readonly engine: Engine;
  readonly statements: Statements;
}
