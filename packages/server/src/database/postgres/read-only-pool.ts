import type { PostgresPool, PostgresPoolClient } from 'kysely';

/**
 * Runs each statement in a read-only transaction of its own. A pooler gives the connection to others later, so nothing is
 * set for the session.
 */
export class ReadOnlyPool implements PostgresPool {
  /** Keeps Kysely from opening connections outside the pool. */
  readonly options = {};
  readonly #pool: PostgresPool;
  readonly #lockTimeoutMs: number;

  /** @param lockTimeoutMs how long a statement waits for a lock, in milliseconds */
  constructor(pool: PostgresPool, lockTimeoutMs: number) {
    this.#pool = pool;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    const run = (statement: string, parameters: readonly unknown[]) =>
      this.#runAlone(client, statement, parameters);
    const reading = { query: run, release: () => client.release() };
    return reading as unknown as PostgresPoolClient;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #runAlone(client: PostgresPoolClient, statement: string, parameters: readonly unknown[]) {
    await client.query('begin read only', []);
    try {
      await client.query(`set local lock_timeout = ${this.#lockTimeoutMs}`, []);
      const result = await client.query(statement, parameters);
      await client.query('commit', []);
      return result;
    } catch (error) {
      await client.query('rollback', []).catch(() => {});
      throw error;
    }
  }
}
