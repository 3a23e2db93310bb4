import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import type { Schema } from '../kysely/schema.ts';
import type { Session } from '../kysely/session.ts';
import { sqliteEngine } from './engine.ts';
import { NodeSqliteDatabase } from './node-sqlite-database.ts';

export interface SqliteConnection {
  readonly connection: DatabaseSync;
  readonly session: Session;
}

/** Opens one more connection, set up as every connection of the directory must be. */
export function connect(path: string): SqliteConnection {
  const connection = new DatabaseSync(path, {
    readBigInts: true,
    timeout: 2_000,
    enableForeignKeyConstraints: true,
  });
  // FULL: a commit returns once its pages are on disk, power loss included.
  connection.exec('pragma synchronous = full; pragma trusted_schema = off; pragma cache_size = -32768');
  const database = new NodeSqliteDatabase(connection);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  const runNow = (sql: string, parameters: readonly unknown[]) => database.prepare(sql).all(parameters);
  return { connection, session: { db, engine: sqliteEngine, runNow } };
}
