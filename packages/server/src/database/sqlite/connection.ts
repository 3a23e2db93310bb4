import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import type { Schema } from '../queries/schema.ts';
import type { Session, Statements } from '../queries/session.ts';
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

/** Opens a connection whose compiled statements are run in groups. It is for reading. */
export function connectReader(path: string, onError?: OnError): SqliteReader {
  const { connection, session, database } = open(path, onError);
  connection.exec(`pragma mmap_size = ${mappedBytes(path)}`);
  const group = new GroupRead(connection);
  const statements: Statements = {
    all: (sql, parameters) => group.submit(() => database.prepare(sql).all(parameters)),
    each: () => {
      throw new TypeError('a connection for reading changes no rows');
    },
  };
  return { connection, session: { ...session, statements }, group };
}

const mappedBytesMax = 32 * 1024 * 1024;

/** Of a larger file too few of the wanted pages are among those mapped, and all that are count as memory in use. */
const mappedFileBytesMax = 1024 * 1024 * 1024;

/** Mapped pages are read in place: a look-up touches half a dozen, and a system call for each costs more than it does. */
function mappedBytes(path: string): number {
  return statSync(path).size <= mappedFileBytesMax ? mappedBytesMax : 0;
}

/** Opens one more connection, set up as every connection of the directory must be. */
export function connect(path: string, onError?: OnError): SqliteConnection {
  const { connection, session } = open(path, onError);
  return { connection, session };
}

/** Takes every error of a statement, before it is thrown. */
type OnError = (error: unknown) => void;

function open(
  path: string,
  onError: OnError = () => {},
): SqliteConnection & { readonly database: NodeSqliteDatabase } {
  const connection = new DatabaseSync(path, {
    readBigInts: true,
    timeout: 2_000,
    enableForeignKeyConstraints: true,
  });
  // FULL: a commit returns once its pages are on disk, power loss included.
  connection.exec('pragma synchronous = full; pragma trusted_schema = off; pragma cache_size = -6144');
  // 32 MB of log: a page that many writes change goes into the database once, and a commit waits for that less often.
  connection.exec('pragma wal_autocheckpoint = 8000');
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
