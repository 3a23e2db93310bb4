import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { queryBuilderSession } from '../../queries/query-builder-session.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session, Statements } from '../../queries/session.ts';
import { rowMaker } from '../connections/row-maker.ts';
import { sqliteEngine } from '../engine.ts';
import { type PackedRows, packRows, unpackRows } from './packed-rows.ts';
import type { ThreadChanges, ThreadRows } from './statement-worker.ts';

export interface RunInThread {
  run(sql: string, parameters: readonly unknown[]): Promise<ThreadRows | ThreadChanges>;
  each(sql: string, rows: PackedRows): Promise<void>;
}

/** Returns a session whose statements run in a thread. */
export function threadSession(thread: RunInThread): Session {
  const driver = new ThreadDriver(thread);
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (introspected) => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const { statements, ...session } = queryBuilderSession(db, sqliteEngine);
  const all = statements.all.bind(statements);
  // Copies each row, because the caller may fill the same list again for the next one.
  const each: Statements['each'] = (sql, rows) =>
    thread.each(sql, packRows(Array.from(rows, (row) => [...row])));
  return { ...session, statements: { all, each } };
}

/** The one connection of the thread. Transactions are the group commit's. */
class ThreadDriver implements Driver, DatabaseConnection {
  readonly #thread: RunInThread;

  constructor(thread: RunInThread) {
    this.#thread = thread;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.#thread.run(sql, parameters);
    if ('rows' in answer) {
      const { names, rows } = answer;
      return { rows: unpackRows(rows).map(rowMaker(names)) as Row[] };
    }
    return { rows: [], numAffectedRows: answer.changes, insertId: answer.lastInsertRowid };
  }

  streamQuery(): never {
    throw new TypeError('a thread answers statements as a whole');
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this;
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}

  async beginTransaction(): Promise<never> {
    throw noTransaction();
  }

  async commitTransaction(): Promise<never> {
    throw noTransaction();
  }

  async rollbackTransaction(): Promise<never> {
    throw noTransaction();
  }
}

function noTransaction(): TypeError {
  return new TypeError('the group commit begins and ends the transactions of the thread');
}
