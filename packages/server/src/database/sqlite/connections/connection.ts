import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { carryTrace } from '../../../tracing/trace.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session, Statements } from '../../queries/session.ts';
import { sqliteEngine } from '../engine.ts';
import { connectionOptions, connectionSettings } from './connection-settings.ts';
import { GroupRead } from './group-read.ts';
import { NodeSqliteDatabase } from './node-sqlite-database.ts';
import { keepTemporaryFilesBeside } from './temporary-folder.ts';

export interface SqliteConnection {
  readonly connection: DatabaseSync;
  readonly session: Session;
  /** The prepared statements of the connection. */
  readonly database: NodeSqliteDatabase;
}

export interface SqliteReader extends SqliteConnection {
  readonly group: GroupRead;
}

/**
 * Opens a connection for reading, whose compiled statements run in groups, on the writing connection where possible.
 *
 * @param writer the process's connection for writing to the same file
 */
export function connectReader(path: string, writer: SqliteConnection, onError?: OnError): SqliteReader {
  const { connection, session, database } = open(path, onError);
  const group = new GroupRead(connection, () => performance.now(), writer.connection);
  const databaseOf = (used: DatabaseSync) => (used === connection ? database : writer.database);
  const statements: Statements = {
    all: (sql, parameters) =>
      group.submit(carryTrace((used: DatabaseSync) => databaseOf(used).prepare(sql).all(parameters))),
    each: () => {
      throw new TypeError('a connection for reading changes no rows');
    },
  };
  return { connection, session: { ...session, statements }, database, group };
}

/** Opens another connection with the settings that every connection to the directory needs. */
export function connect(path: string, onError?: OnError): SqliteConnection {
  return open(path, onError);
}

/** Receives every error of a statement before it is thrown. */
type OnError = (error: unknown) => void;

function open(path: string, onError: OnError = () => {}): SqliteConnection {
  const connection = new DatabaseSync(path, connectionOptions);
  connection.exec(connectionSettings);
  keepTemporaryFilesBeside(connection, path);
  const database = new NodeSqliteDatabase(connection, onError);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  const statements: Statements = {
    all: (sql, parameters) => database.prepare(sql).all(parameters),
    each(sql, rows) {
      const statement = database.prepare(sql);
      for (const row of rows) statement.run(row);
    },
  };
  return { connection, session: { db, engine: sqliteEngine, statements }, database };
}
