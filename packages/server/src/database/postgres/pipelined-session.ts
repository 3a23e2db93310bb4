import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Schema } from '../queries/schema.ts';
import type { Engine, Pipeline, Session, Statements } from '../queries/session.ts';
import { postgresEngine } from './engine.ts';

/**
 * The session of one transaction. Each statement is sent at once, without waiting for the answers to earlier ones, so
 * that several share a round trip.
 */
export class PipelinedSession implements Session, Statements, Pipeline {
  readonly engine: Engine = postgresEngine;
  readonly statements = this;
  readonly pipeline = this;
  readonly #client: PostgresPoolClient;
  readonly #unanswered: Promise<unknown>[] = [];
  #ended = false;
  #abandoned = false;
  #db: Kysely<Schema> | undefined;

  constructor(client: PostgresPoolClient) {
    this.#client = client;
  }

  /** Made on demand, because most transactions only run compiled statements. */
  get db(): Kysely<Schema> {
    if (this.#db === undefined) {
      const query = (sql: string, parameters: readonly unknown[]) => this.#query(sql, parameters);
      const client = { query, release: () => {} } as unknown as PostgresPoolClient;
      const pool = { options: {}, connect: async () => client, end: async () => {} };
      this.#db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    }
    return this.#db;
  }

  async all(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return (await this.#query(sql, parameters)).rows;
  }

  async each(sql: string, rows: Iterable<readonly unknown[]>): Promise<void> {
    for (const row of rows) await this.all(sql, row);
  }

  send(sql: string, parameters: readonly unknown[]): void {
    const answer = this.#query(sql, parameters);
    // `answered` reports the failure.
    answer.catch(() => {});
    this.#unanswered.push(answer);
  }

  abandon(): void {
    this.#ended = true;
    this.#abandoned = true;
  }

  /**
   * Refuses further statements. Resolves once those sent have succeeded; rejects with the first failure, unless the work
   * was abandoned for an earlier one.
   */
  async end(): Promise<void> {
    this.#ended = true;
    if (this.#abandoned) await Promise.allSettled(this.#unanswered);
    else await Promise.all(this.#unanswered);
  }

  async #query(sql: string, parameters: readonly unknown[]) {
    // Work that continues after a failure must not reach the connection's next transaction.
    if (this.#ended) throw new TypeError('the transaction has ended');
    return this.#client.query(sql, parameters);
  }
}
