import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Schema } from '../../queries/schema.ts';
import type { Engine, Pipeline, Session, Statements } from '../../queries/session.ts';
import { postgresEngine } from '../engine.ts';

/**
 * The session of one transaction. Each statement is sent at once, without waiting for the answers to earlier ones, so
 * that several share a round trip.
 */
export class PipelinedSession implements Session, Statements, Pipeline {
  readonly engine: Engine = postgresEngine;
  readonly statements = this;
  readonly pipeline = this;
  readonly #client: PostgresPoolClient;
  readonly #unanswered = new Set<Promise<unknown>>();
  #sent = 0;
  #failure: { readonly statement: number; readonly error: unknown } | undefined;
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
    // `end` reports the failure.
    this.#query(sql, parameters).catch(() => {});
  }

  abandon(): void {
    this.#ended = true;
    this.#abandoned = true;
  }

  /**
   * Refuses further statements, and waits for the answers to those sent. Rejects with the failure of the first one that
   * failed, which made the others fail, unless the work was abandoned for another reason. The work may have noticed a
   * later failure before it.
   */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#unanswered);
    if (this.#failure !== undefined && !this.#abandoned) throw this.#failure.error;
  }

  async #query(sql: string, parameters: readonly unknown[]) {
    // Work that continues after a failure must not reach the connection's next transaction.
    if (this.#ended) throw new TypeError('the transaction has ended');
    const answer = this.#noteFailure(this.#client.query(sql, parameters), this.#sent++);
    this.#unanswered.add(answer);
    return answer.finally(() => this.#unanswered.delete(answer));
  }

  async #noteFailure<Answer>(answer: Promise<Answer>, statement: number): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (this.#failure === undefined || statement < this.#failure.statement)
        this.#failure = { statement, error };
      throw error;
    }
  }
}
