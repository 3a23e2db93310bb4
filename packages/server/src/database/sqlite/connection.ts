import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { carryTrace } from '../../tracing/trace.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session, Statements } from '../queries/session.ts';
import { connectionOptions, connectionSettings } from './connection-settings.ts';
import { sqliteEngine } from './engine.ts';
import { GroupRead } from './group-read.ts';
import { NodeSqliteDatabase } from './node-sqlite-database.ts';

export interface SqliteConnection {
  readonly connection: DatabaseSync;
  readonly session: Session;
}

export interface SqliteReader extends SqliteConnection {
  readonly group: GroupRead;
}

/** Opens a connection for reading, whose compiled statements run in groups. */
export function connectReader(path: string, onError?: OnError): SqliteReader {
  const { connection, session, database } = open(path, onError);
  const group = new GroupRead(connection, () => performance.now());
  const statements: Statements = {
    all: (sql, parameters) => group.submit(carryTrace(() => database.prepare(sql).all(parameters))),
    each: () => {
      throw new TypeError('a connection for reading changes no rows');
    },
  };
  return { connection, session: { ...session, statements }, group };
}

/** Opens another connection with the settings that every connection to the directory needs. */
export function connect(path: string, onError?: OnError): SqliteConnection {
  const { connection, session } = open(path, onError);
  return { connection, session };
}

/** Receives every error of a statement before it is thrown. */
type OnError = (error: unknown) => void;

function open(
  path: string,
  onError: OnError = () => {},
): SqliteConnection & { readonly database: NodeSqliteDatabase } {
  const connection = new DatabaseSync(path, connectionOptions);
  connection.exec(connectionSettings);
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
