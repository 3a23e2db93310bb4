import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Session } from '../../queries/session.ts';
import type { SqliteConnection } from '../connections/connection.ts';

/** Begins a transaction with the write lock, or fails at once while another one has it. */
export const beginStatement = 'begin immediate';

/** The only statement whose effects may outlive a thread that ends before it answers. */
export const commitStatement = 'commit';

/** A connection for one transaction after another. Its statements run on this thread or on another. */
export interface Writer {
  readonly session: Session;
  readonly isTransaction: boolean;
  begin(): void | Promise<void>;
  /** Runs a statement that controls the transaction; on this thread before it returns. */
  control(sql: string): void | Promise<void>;
}

/** Writes on this thread. */
export class LocalWriter implements Writer {
  readonly session: Session;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor({ connection, session }: Pick<SqliteConnection, 'connection' | 'session'>) {
    this.#connection = connection;
    this.session = session;
  }

  get isTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  begin(): void {
    this.control(beginStatement);
  }

  control(sql: string): void {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    statement.run();
  }
}
