import type { AliasedRawBuilder, Compilable, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { CandidateSource } from './lists/candidate-source.ts';
import type { Schema } from './schema.ts';

/** A column of rows passed as JSON. */
export interface RowColumn {
  readonly name: string;
  readonly type: 'int64' | 'text';
}

/** The tables whose rows are locked before a change. */
export type LockedTable = 'user' | 'role' | 'org' | 'store' | 'tenant' | 'operator';

/** Some rows of a table, at least one, with values by column. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** How an engine searches users and stores. */
export interface UserSearch {
  /** Whether one of these columns contains the text, ignoring case. */
  contains(columns: readonly string[], text: string): RawBuilder<SqlBool>;
  /** Whether a searched column of a row of `user`, under this alias, contains the text. */
  matches(alias: string, text: string): RawBuilder<unknown>;
  /**
   * Finds the users that may contain the text, and few others, through an index. Returns `undefined` if no index covers
   * the text. Each user found must still be checked with `matches`.
   */
  source(session: Session, tenantId: bigint, text: string): Promise<CandidateSource | undefined>;
  /**
   * Returns how many rows one statement may search, whatever their values are. Absent where statements do not run on the
   * event loop.
   *
   * @param charactersMax of all searched values of a row together
   */
  readonly rowsAtOnce?: (text: string, charactersMax: number) => number;
}

/** How to look up a row of a table by a code. */
export interface CodeLookUp<Table extends keyof Schema, Joined extends keyof Schema, Row> {
  readonly table: Table;
  /** The column that holds the code, with its table. */
  readonly column: string;
  /** Selects from the table's rows. */
  readonly find: (rows: SelectQueryBuilder<Schema, Table, object>) => SelectQueryBuilder<Schema, Joined, Row>;
}

/** The properties of an engine that the shared queries need; each engine's folder implements them. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /**
   * The fastest way to change many rows: one statement per row on an in-process engine, a single statement for all rows
   * on an engine that is a round trip away.
   */
  readonly manyRows: 'one-by-one' | 'together';
  /** Takes the next user id, unique across all tenants; `undefined` if `insertedUserId` does so. */
  takeUserId(session: Session): Promise<bigint | undefined>;
  /** Returns the id for the insert: the given one, or an expression that takes the next one, which saves a round trip. */
  insertedUserId(taken: bigint | undefined): bigint | RawBuilder<bigint>;
  /** Assigns several ids at once, in ascending order. */
  takeUserIds(session: Session, count: number): Promise<bigint[]>;
  /** Adds the row lock, if the engine allows concurrent writers. */
  lockRows<Table extends LockedTable, Output>(
    query: SelectQueryBuilder<Schema, Table, Output>,
  ): SelectQueryBuilder<Schema, Table, Output>;
  /** Adds the row lock of a removal, which also blocks new references to the row. */
  lockRowsToRemove<Table extends LockedTable, Output>(
    query: SelectQueryBuilder<Schema, Table, Output>,
  ): SelectQueryBuilder<Schema, Table, Output>;
  /**
   * Prepares the transaction for the next statements about many rows of these tables.
   * They may have grown a thousandfold since the engine last looked, in this very transaction.
   */
  planForManyRows(session: Session, tables: readonly (keyof Schema)[]): Promise<void>;
  /** Encodes a list of texts, such as codes or usernames, as one parameter for `textTable`. */
  encodeTexts(codes: readonly string[]): unknown;
  /** Returns that parameter as a table `listed` with one column `code`. */
  textTable(encodedTexts: unknown): AliasedRawBuilder<{ code: string }, 'listed'>;
  /**
   * Looks up a row of a table for each text in that parameter, in their order,
   * by the index of a column that holds such texts. Use it where many rows are looked up at once.
   *
   * @param encodedTexts that parameter
   */
  findEachListed<Table extends keyof Schema, Joined extends keyof Schema, Row>(
    db: Kysely<Schema>,
    lookUp: CodeLookUp<Table, Joined, Row>,
    encodedTexts: unknown,
  ): Compilable<Row>;
  /** Whether a column holds one of the texts in that parameter, looked up through the column's index. */
  isListed(column: string, encodedTexts: unknown): RawBuilder<SqlBool>;
  /** Returns the values of a text column, in order, as one JSON array. */
  orderedJson(column: string): RawBuilder<string | Uint8Array>;
  /** Whether a column contains a text exactly. Unlike the pattern of a `like`, the text may have any length. */
  includesText(column: string, text: string): RawBuilder<SqlBool>;
  /** Returns a text column for reading large texts: as UTF-8, if the driver reads bytes faster than text. */
  largeText(column: string): RawBuilder<string | Uint8Array>;
  /** Returns a JSON array of arrays as a table `given` with one row for each inner array. */
  rowTable(json: string, columns: readonly RowColumn[]): AliasedRawBuilder<Record<string, unknown>, 'given'>;
  /**
   * Returns whether a row has the key of a row of `given`, for a statement that changes many rows. The rows must be locked.
   *
   * @param tenantId on SQLite a column of `given`: with a value, it reads all rows of the tenant for each given one
   * @param key the columns of the table's primary key after `tenant_id`
   */
  isGivenRow(
    table: 'user' | 'user_store',
    tenantId: RawBuilder<bigint>,
    key: readonly string[],
  ): RawBuilder<SqlBool>;
  /** Refreshes the statistics of a table that was just filled; its plans were made for a small one. */
  refreshStatistics(db: Kysely<Schema>, table: keyof Schema): Promise<void>;
  /** Runs a query for each row of `given` and joins the results as a table `listed` with one column `value`. */
  forEachGiven<Value>(
    query: RawBuilder<unknown>,
    column: string,
  ): AliasedRawBuilder<{ value: Value }, 'listed'>;
  /**
   * Whether its rows come in the order of the given ones without being sorted, so that a limit ends the statement. Sorted
   * rows must all be read first.
   */
  readonly readsGivenInOrder: boolean;
  readonly search: UserSearch;
  /** Table with `tenant_id`, `updated_at` and `id` of each user, and an index over them in this order. */
  readonly changeOrder: string;
  /**
   * The counter `purged_through`, for a statement that inserts a claim. It must see every purge committed before the
   * row was inserted; see `claim-queries.ts`.
   */
  readonly purgedThrough: RawBuilder<bigint>;
  /** Notifies the other processes, once the transaction is committed, that credentials changed. */
  announceCredentials(session: Session): Promise<void>;
  /** Returns the last assigned user id; a copy continues from it, so that no id is ever reused. */
  lastUserId(db: Kysely<Schema>): Promise<bigint>;
  setLastUserId(db: Kysely<Schema>, id: bigint): Promise<void>;
  /**
   * Prepares tables for many rows. They may lack indexes and foreign keys until the function that this returns has run,
   * in the same transaction.
   */
  setIndexesAside(db: Kysely<Schema>, tables: readonly (keyof Schema)[]): Promise<() => Promise<void>>;
  /** Inserts pages of rows that have the same columns, in the session of a copy. */
  insertPages(session: Session, table: keyof Schema, pages: AsyncIterable<Rows>): Promise<void>;
  /** Makes the engine's generated keys continue above the copied rows. */
  catchUpGeneratedKeys(db: Kysely<Schema>): Promise<void>;
  /** Makes the deletions that follow on this connection overwrite their rows in the file, if the engine can. */
  overwriteDeleted(db: Kysely<Schema>): Promise<void>;
}

/** Runs compiled statements, bypassing the query builder if the engine allows it. */
export interface Statements {
  /** Returns the rows of one statement. */
  all(sql: string, parameters: readonly unknown[]): unknown[] | Promise<unknown[]>;
  /** Runs a statement without result rows, once for each list of parameters. */
  each(sql: string, rows: Iterable<readonly unknown[]>): void | Promise<void>;
  /** Absent if each statement is answered before the next one can be sent. */
  readonly pipeline?: Pipeline;
}

/** Sends the statements of a transaction before earlier ones are answered, so that several share a round trip. */
export interface Pipeline {
  /** Sends a statement whose rows nobody needs. If it fails, so does the transaction, at the latest when it commits. */
  send(sql: string, parameters: readonly unknown[]): void;
  /**
   * Refuses further statements and ignores failures of those sent: the transaction is rolled back for an earlier one.
   */
  abandon(): void;
}

/** A connection, pool or transaction together with the engine behind it. */
export interface Session {
  readonly db: Kysely<Schema>;
  readonly engine: Engine;
  readonly statements: Statements;
  /** Sends texts to a `COPY … FROM STDIN`. Only the session of a copy to PostgreSQL has it. */
  readonly copyTexts?: (statement: string, texts: AsyncIterable<string>) => Promise<void>;
}

/** Runs work in a transaction of the engine. */
export type Transact = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** Runs work that records when it happened, in Unix milliseconds, in a transaction of the engine. */
export type TransactNow = <T>(work: (session: Session, nowMs: number) => Promise<T>) => Promise<T>;
