import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Gives Kysely's SQLite dialect a `node:sqlite` connection, each statement prepared once. */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      statement = adapt(this.#connection.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

/** More distinct statements than the server has; only generated ones, such as partial updates, come near. */
const statementsMax = 500;

function adapt(statement: StatementSync): SqliteStatement {
  const names = statement.columns().map(({ name }) => name);
  // Rows as arrays, named here, cost two thirds of the objects that the driver would make.
  statement.setReturnArrays(true);
  const toRow = (values: unknown) => nameValues(names, values as unknown[]);
  return {
    reader: names.length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])).map(toRow),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])).map(toRow),
  };
}

function nameValues(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
  return row;
}
