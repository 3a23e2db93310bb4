import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { connectionOptions, connectionSettings } from '../connections/connection-settings.ts';
import { type PackedRows, packRows, unpackRows } from './packed-rows.ts';

/** Result rows, with the names of their columns. */
export interface ThreadRows {
  readonly names: readonly string[];
  readonly rows: PackedRows;
}

/** The effect of a statement without result rows. */
export interface ThreadChanges {
  readonly changes: bigint;
  readonly lastInsertRowid: bigint;
}

/** The requests of a transaction, with their answers. */
export interface StatementActions {
  /** Runs one statement with its parameters. */
  run(sql: string, parameters: readonly unknown[]): ThreadRows | ThreadChanges;
  /** Runs a statement without result rows, once for each list of parameters. */
  each(sql: string, rows: PackedRows): void;
  /** Runs a statement that controls the transaction. */
  control(sql: string): void;
}

/** The requests that the thread understands, with their answers. */
interface Actions extends StatementActions {
  /** Is answered once the thread runs. */
  start(): void;
  /** Opens the file. */
  open(): void;
  close(): void;
}

export type StatementRequest = {
  readonly [Name in keyof Actions]: { readonly action: Name; readonly values: Parameters<Actions[Name]> };
}[keyof Actions];

export interface StatementReply {
  readonly result?: ReturnType<Actions[keyof Actions]>;
  readonly error?: {
    readonly message: string;
    readonly code: string | undefined;
    readonly errcode: number | undefined;
  };
  readonly isTransaction: boolean;
}

/** What the thread is started with. */
export interface StatementWorkerData {
  /** URL of the database file. */
  readonly url: string;
}

/** Distinct statements that the thread keeps prepared. */
const statementsMax = 100;

const { url } = workerData as StatementWorkerData;

let connection: DatabaseSync | undefined;

function opened(): DatabaseSync {
  if (connection === undefined) throw new TypeError('the thread has not opened the file');
  return connection;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}

const prepared = new Map<string, Prepared>();

function prepare(sql: string): Prepared {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  if (prepared.size >= statementsMax) prepared.clear();
  const statement = opened().prepare(sql);
  statement.setReturnArrays(true);
  const entry = { statement, names: statement.columns().map(({ name }) => name) };
  prepared.set(sql, entry);
  return entry;
}

const actions: {
  readonly [Name in keyof Actions]: (...values: Parameters<Actions[Name]>) => ReturnType<Actions[Name]>;
} = {
  run(sql, parameters) {
    const { statement, names } = prepare(sql);
    const values = parameters as readonly SQLInputValue[];
    // The connection reads integers as bigint.
    if (names.length === 0) return statement.run(...values) as ThreadChanges;
    return { names, rows: packRows(statement.all(...values) as unknown as unknown[][]) };
  },
  each(sql, rows) {
    const { statement } = prepare(sql);
    for (const row of unpackRows(rows)) statement.run(...(row as SQLInputValue[]));
  },
  control: (sql) => opened().exec(sql),
  start() {},
  open() {
    connection = new DatabaseSync(new URL(url), connectionOptions);
    // The process runs the checkpoints itself; see `Checkpoints`.
    connection.exec(`${connectionSettings}; pragma wal_autocheckpoint = 0; pragma busy_timeout = 0`);
    // Reading opens the log too.
    connection.prepare('select name from sqlite_schema').get();
  },
  close: () => connection?.close(),
};

function answer<Action extends keyof Actions>(action: Action, values: Parameters<Actions[Action]>) {
  try {
    return { result: actions[action](...values) };
  } catch (error) {
    const { message, code, errcode } = error as NonNullable<StatementReply['error']>;
    return { error: { message, code, errcode } };
  }
}

parentPort?.on('message', ({ action, values }: StatementRequest) => {
  const reply: StatementReply = {
    ...answer(action, values),
    isTransaction: connection?.isOpen === true && connection.isTransaction,
  };
  parentPort?.postMessage(reply);
});
