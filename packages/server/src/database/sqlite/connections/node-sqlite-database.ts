import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { inSpan } from '../../../tracing/trace.ts';
import { toBusyError } from '../errors/sqlite-error.ts';
import { rowMaker } from './row-maker.ts';

/**
 * Adapts a `node:sqlite` connection to Kysely's SQLite dialect and prepares each statement once. Errors from SQLite's
 * environment, such as a full disk, are thrown as `BusyError`.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #connection: DatabaseSync;
  readonly #rethrow: Rethrow;
  readonly #statements = new Map<string, SqliteStatement>();

  /** @param onError receives every error of a statement before it is thrown */
  constructor(connection: DatabaseSync, onError: (error: unknown) => void) {
    this.#connection = connection;
    this.#rethrow = (error) => {
      onError(error);
      throw toBusyError(error);
    };
  }

  prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      const rethrow = this.#rethrow;
      statement = withRethrow(rethrow, () => adapt(sql, this.#connection.prepare(sql), rethrow));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

/** More than the server's distinct statements; only generated ones, such as partial updates, come near it. */
const statementsMax = 500;

type Rethrow = (error: unknown) => never;

function withRethrow<T>(rethrow: Rethrow, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return rethrow(error);
  }
}

function adapt(sql: string, statement: StatementSync, rethrow: Rethrow): SqliteStatement {
  const attributes = { 'db.system.name': 'sqlite', 'db.query.text': sql };
  const trace = <T>(work: () => T) => inSpan('statement', attributes, () => withRethrow(rethrow, work));
  const names = statement.columns().map(({ name }) => name);
  // The driver's own objects take longer to make and more memory.
  statement.setReturnArrays(true);
  const makeRow = rowMaker(names);
  const toRow = (values: unknown) => makeRow(values as unknown[]);
  return {
    reader: names.length > 0,
    all: (parameters) => trace(() => statement.all(...(parameters as SQLInputValue[])).map(toRow)),
    run: (parameters) => trace(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])).map(toRow),
  };
}
