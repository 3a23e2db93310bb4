import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
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

/** The requests that the thread understands, with their answers. */
interface Actions {
  /** Runs one statement with its parameters. */
  run(sql: string, parameters: readonly unknown[]): ThreadRows | ThreadChanges;
  /** Runs a statement without result rows, once for each list of parameters. */
  each(sql: string, rows: PackedRows): undefined;
  /** Runs a statement that controls the transaction. */
  control(sql: string): undefined;
}

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code?: string; readonly errcode?: number };
  readonly isTransaction: boolean;
}

/** Inline code instead of a file, because the command is published as a single file. */
const workerCode = `
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { url, options, settings, statementsMax } = workerData;
  ${packRows}
  ${unpackRows}
  let connection;
  const prepared = new Map();
  function prepare(sql) {
    let entry = prepared.get(sql);
    if (entry === undefined) {
      if (prepared.size >= statementsMax) prepared.clear();
      const statement = connection.prepare(sql);
      statement.setReturnArrays(true);
      entry = { statement, names: statement.columns().map(({ name }) => name) };
      prepared.set(sql, entry);
    }
    return entry;
  }
  const actions = {
    run(sql, parameters) {
      const { statement, names } = prepare(sql);
      if (names.length === 0) return statement.run(...parameters);
      return { names, rows: packRows(statement.all(...parameters)) };
    },
    each(sql, rows) {
      const { statement } = prepare(sql);
      for (const row of unpackRows(rows)) statement.run(...row);
    },
    control: (sql) => connection.exec(sql),
    start() {},
    open() {
      connection = new DatabaseSync(new URL(url), options);
      connection.exec(settings);
      // Reading opens the log too.
      connection.prepare('select name from sqlite_schema').get();
    },
    close: () => connection?.close(),
  };
  parentPort.on('message', ({ action, values }) => {
    let reply;
    try {
      reply = { result: actions[action](...values) };
    } catch ({ message, code, errcode }) {
      reply = { error: { message, code, errcode } };
    }
    parentPort.postMessage({ ...reply, isTransaction: connection?.isOpen === true && connection.isTransaction });
  });
`;

/** Distinct statements that the thread keeps prepared. */
const statementsMax = 100;

/** A connection to a database file in a thread of its own, which never blocks the event loop. */
export class StatementThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<Reply>[] = [];
  #isTransaction = false;
  #ended: Error | undefined;

  private constructor(path: string) {
    this.#worker = new Worker(workerCode, {
      eval: true,
      // A file that was removed must not be made again, empty.
      workerData: {
        url: `${pathToFileURL(path).href}?mode=rw`,
        options: connectionOptions,
        // The process runs the checkpoints itself; see `Checkpoints`.
        settings: `${connectionSettings}; pragma wal_autocheckpoint = 0; pragma busy_timeout = 0`,
        statementsMax,
      },
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the thread that writes to the database has ended')));
  }

  /**
   * Starts a thread that has opened the file.
   *
   * @param requireIntact throws if another file has taken the path. It is called before the thread starts, right before
   * the thread opens the file, because SQLite would apply the log of the first file to another one, and afterwards.
   * @throws SQLite's error when the file is missing or cannot be opened
   */
  static async open(path: string, requireIntact: () => void): Promise<StatementThread> {
    requireIntact();
    const thread = new StatementThread(path);
    try {
      await thread.#ask('start', []);
      requireIntact();
      await thread.#ask('open', []);
      requireIntact();
      return thread;
    } catch (error) {
      // If the thread has died, this fails too.
      await thread.close().catch(() => {});
      throw error;
    }
  }

  /** Whether a transaction was open after the last answer. */
  get isTransaction(): boolean {
    return this.#isTransaction;
  }

  /** Whether the thread has ended, which undid its transaction unless a commit was under way. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Sends a request to the thread, which answers requests in their order.
   *
   * @throws SQLite's error, with its `errcode`; {@link ThreadEndedError} when the thread ends without an answer
   */
  async ask<Action extends keyof Actions>(
    action: Action,
    ...values: Parameters<Actions[Action]>
  ): Promise<ReturnType<Actions[Action]>> {
    return (await this.#ask(action, values)) as ReturnType<Actions[Action]>;
  }

  /** Closes the connection and ends the thread. */
  async close(): Promise<void> {
    try {
      if (this.#ended === undefined) await this.#ask('close', []);
    } finally {
      await this.#worker.terminate();
    }
  }

  async #ask(
    action: keyof Actions | 'start' | 'open' | 'close',
    values: readonly unknown[],
  ): Promise<unknown> {
    if (this.#ended !== undefined) throw new ThreadEndedError(this.#ended);
    // Send before anything else: this throws on a value that cannot be sent, and no answer would come for it.
    this.#worker.postMessage({ action, values });
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting.push(waiting);
    // Keeps the process alive until the answer; without a request, it may end.
    this.#worker.ref();
    const { result, error } = await waiting.promise;
    if (error !== undefined) throw Object.assign(new Error(error.message), error);
    return result;
  }

  #settle(reply: Reply): void {
    this.#isTransaction = reply.isTransaction;
    this.#waiting.shift()?.resolve(reply);
    if (this.#waiting.length === 0) this.#worker.unref();
  }

  #end(cause: Error): void {
    this.#ended ??= cause;
    this.#isTransaction = false;
    for (const { reject } of this.#waiting.splice(0)) reject(new ThreadEndedError(this.#ended));
  }
}

/** The thread ended before it answered. Its transaction is undone, unless the request was a commit. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';

  constructor(cause: Error) {
    super('the thread that writes to the database has ended', { cause });
  }
}
