import type pg from 'pg';
import { type QueryToSend, sendQuery, type WireConnection } from '../connections/send-query.ts';

/** Begins the transaction of a write, and of a look-up of one. */
export const startTransaction = 'start transaction isolation level read committed';

/** Name under which each connection has prepared it. */
const preparedName = 'fieldroster_start_transaction';

/** Lets a new connection begin transactions with their first statement. */
export async function prepareStart(client: pg.ClientBase): Promise<void> {
  // The driver prepares a named statement only by executing it.
  await client.query({ name: preparedName, text: startTransaction });
  await client.query('rollback');
}

/**
 * Begins a transaction together with its first statement, which saves a round trip. Both are sent without a
 * synchronization point in between, so PostgreSQL skips the statement if it cannot begin. Source: "Pipelining" in its
 * manual, chapter "Frontend/Backend Protocol".
 *
 * Until the answer, only reads follow: without a transaction, they do no harm, but a write would be committed alone.
 */
export class TransactionStart {
  #state: 'none' | 'wanted' | 'sent' = 'none';
  #answer: Promise<unknown> | undefined;
  #othersWait = false;

  /** Whether the next statement begins the transaction. */
  get isWanted(): boolean {
    return this.#state === 'wanted';
  }

  /** Whether the start has been sent, so that the connection is or will be in a transaction. */
  get isSent(): boolean {
    return this.#state === 'sent';
  }

  want(): void {
    this.#state = 'wanted';
  }

  /** Forgets a transaction that was never sent. */
  drop(): void {
    this.#state = 'none';
  }

  /** Sends the start and the statement, and resolves with the result of the statement. */
  sendWith(client: pg.ClientBase, query: QueryToSend): Promise<unknown> {
    this.#state = 'sent';
    const answer = sendQuery(client, query, start);
    this.#answer = answer;
    answer.then(
      () => {
        this.#answer = undefined;
      },
      () => {},
    );
    return answer;
  }

  /**
   * Returns a promise that the statement must wait for before it is sent, if any. It rejects if the transaction did not
   * begin or its first statement failed, except for a rollback.
   */
  waitBefore(sql: string): Promise<unknown> | undefined {
    if (this.#answer === undefined) return undefined;
    // Once one statement waits, those that follow wait too: a write sent after the rollback would be committed alone.
    if (sql === 'rollback') return this.#othersWait ? this.#answer.catch(() => {}) : undefined;
    this.#othersWait ||= !sql.startsWith('select');
    return this.#othersWait ? this.#answer : undefined;
  }
}

function start(connection: WireConnection): void {
  connection.bind({ portal: '', statement: preparedName, values: [] });
  connection.execute({ portal: '' });
}
