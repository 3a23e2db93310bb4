import { BusyError } from '../../../errors/busy-error.ts';
import { inSpan } from '../../../tracing/trace.ts';
import type { Session } from '../../queries/session.ts';
import { toBusyError } from '../errors/sqlite-error.ts';
import type { DatabaseHealth } from '../files/database-health.ts';
import { StatementThread, ThreadEndedError } from './statement-thread.ts';
import { threadSession } from './thread-session.ts';
import { beginStatement, commitStatement, type Writer } from './writer.ts';

type Health = Pick<DatabaseHealth, 'requireIntact' | 'noteError'>;

/**
 * Writes in a thread of its own, which starts with the first transaction. A large transaction's commit writes thousands
 * of pages in one call, which would block the event loop for a tenth of a second.
 */
export class ThreadWriter implements Writer {
  readonly session: Session;
  readonly #path: string;
  readonly #health: Health;
  #thread: StatementThread | undefined;

  constructor(path: string, health: Health) {
    this.#path = path;
    this.#health = health;
    this.session = threadSession({
      run: (sql, parameters) => this.#ask(sql, (thread) => thread.ask('run', sql, parameters)),
      each: (sql, rows) => this.#ask(sql, (thread) => thread.ask('each', sql, rows)),
    });
  }

  get isTransaction(): boolean {
    return this.#thread?.isTransaction === true;
  }

  async begin(): Promise<void> {
    try {
      if (this.#thread === undefined || this.#thread.isEnded)
        this.#thread = await StatementThread.open(this.#path, () => this.#health.requireIntact());
      await this.#thread.ask('control', beginStatement);
    } catch (error) {
      throw toRetryable(error);
    }
  }

  /** @throws {ThreadEndedError} when the thread ends during a commit, which may have taken effect */
  async control(sql: string): Promise<void> {
    const thread = this.#transactionThread();
    if (thread.isEnded) throw new BusyError('the thread of the transaction has ended');
    try {
      await thread.ask('control', sql);
    } catch (error) {
      throw sql === commitStatement ? error : toRetryable(error);
    }
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  /** The thread of the last transaction, never a new one, which would lack what the transaction has done. */
  #transactionThread(): StatementThread {
    if (this.#thread === undefined) throw new TypeError('no transaction has begun');
    return this.#thread;
  }

  async #ask<T>(sql: string, ask: (thread: StatementThread) => Promise<T>): Promise<T> {
    const thread = this.#transactionThread();
    const attributes = { 'db.system.name': 'sqlite', 'db.query.text': sql };
    return inSpan('statement', attributes, async () => {
      try {
        return await ask(thread);
      } catch (error) {
        this.#health.noteError(error);
        throw toBusyError(toRetryable(error));
      }
    });
  }
}

/** The end of the thread undoes its transaction, so the write can be sent again. */
function toRetryable(error: unknown): unknown {
  return error instanceof ThreadEndedError ? new BusyError(error.message, { cause: error }) : error;
}
