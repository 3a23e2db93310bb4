import { CompiledQuery, type Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { Engine, Session, Statements } from './session.ts';

/** Returns a session whose compiled statements go through the query builder, which finds a connection for each. */
export function queryBuilderSession(db: Kysely<Schema>, engine: Engine): Session {
  return { db, engine, statements: new QueryBuilderStatements(db) };
}

/** The query builder's metadata of a statement, apart from its text and parameters. */
const template = CompiledQuery.raw('');

class QueryBuilderStatements implements Statements {
  readonly #db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  async all(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return (await this.#db.executeQuery({ ...template, sql, parameters })).rows;
  }

  async each(sql: string, rows: Iterable<readonly unknown[]>): Promise<void> {
    for (const row of rows) await this.all(sql, [...row]);
  }
}
