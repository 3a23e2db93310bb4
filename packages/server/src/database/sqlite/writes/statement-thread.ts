import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../../../own-files.ts';
import type {
  StatementActions,
  StatementReply,
  StatementRequest,
  StatementWorkerData,
} from './statement-worker.ts';

/** A connection to a database file in a thread of its own, which never blocks the event loop. */
export class StatementThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<StatementReply>[] = [];
  #isTransaction = false;
  #ended: Error | undefined;

  private constructor(path: string) {
    // A file that was removed must not be made again, empty.
    const workerData: StatementWorkerData = { url: `${pathToFileURL(path).href}?mode=rw` };
    this.#worker = new Worker(ownModule('database/sqlite/writes/statement-worker'), {
      workerData,
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: StatementReply) => this.#settle(reply));
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
      await thread.#ask({ action: 'start', values: [] });
      requireIntact();
      await thread.#ask({ action: 'open', values: [] });
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
  async ask<Action extends keyof StatementActions>(
    action: Action,
    ...values: Parameters<StatementActions[Action]>
  ): Promise<ReturnType<StatementActions[Action]>> {
    return (await this.#ask({ action, values } as StatementRequest)) as ReturnType<StatementActions[Action]>;
  }

  /** Closes the connection and ends the thread. */
  async close(): Promise<void> {
    try {
      if (this.#ended === undefined) await this.#ask({ action: 'close', values: [] });
    } finally {
      await this.#worker.terminate();
    }
  }

  async #ask(request: StatementRequest): Promise<StatementReply['result']> {
    if (this.#ended !== undefined) throw new ThreadEndedError(this.#ended);
    // Send before anything else: this throws on a value that cannot be sent, and no answer would come for it.
    this.#worker.postMessage(request);
    const waiting = Promise.withResolvers<StatementReply>();
    this.#waiting.push(waiting);
    // Keeps the process alive until the answer; without a request, it may end.
    this.#worker.ref();
    const { result, error } = await waiting.promise;
    if (error !== undefined) throw Object.assign(new Error(error.message), error);
    return result;
  }

  #settle(reply: StatementReply): void {
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
