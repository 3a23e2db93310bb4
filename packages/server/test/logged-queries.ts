import type { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import type { LoggedStatement } from '../src/database/conformance/bookkeeping-plans.ts';
import type { Schema } from '../src/database/queries/schema.ts';
import { NodeSqliteDatabase } from '../src/database/sqlite/connections/node-sqlite-database.ts';

/** Returns a query builder for the connection, and the statements that it has sent. */
export function loggedQueries(connection: DatabaseSync) {
  const asked: LoggedStatement[] = [];
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: new NodeSqliteDatabase(connection, () => {}) }),
    log: ({ query }) => {
      asked.push(query);
    },
  });
  return { db, asked };
}
