import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { boundedWaitMs } from '../../deadline.ts';
import { DatabaseBusyError } from '../database.ts';

export interface WriteConnectionsOptions {
  /** Connections of the pool, for reads and writes. */
  readonly poolSize: number;
  /** How long a write waits for its turn, in milliseconds. */
  readonly waitMs: number;
}

/** Returns how many connections writes may use at once. A quarter, but at least one, is left to reads. */
export function writeConnectionsMax(poolSize: number): number {
  return poolSize - Math.max(1, Math.floor(poolSize / 4));
}

/**
 * The part of a pool that writes may use. Writes wait for locks of other writes. If they could take every connection,
 * reads, which wait for no lock, would queue behind them. A single pool lets reads use all connections while nobody
 * writes.
 */
export class WriteConnections implements PostgresPool {
  readonly options = {};
  readonly #pool: PostgresPool;
  readonly #waitMs: number;
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(pool: PostgresPool, { poolSize, waitMs }: WriteConnectionsOptions) {
    this.#pool = pool;
    this.#waitMs = waitMs;
    this.#free = writeConnectionsMax(poolSize);
  }

  /** Writes that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws {DatabaseBusyError} when other writes hold the connections for too long */
  async connect(): Promise<PostgresPoolClient> {
    await this.#takeTurn();
    try {
      return this.#endTurnWith(await this.#pool.connect());
    } catch (error) {
      this.#endTurn();
      throw error;
    }
  }

  /** Also ends the pool for reads: a query builder that was never used would not end it. */
  async end(): Promise<void> {
    await this.#pool.end();
  }

  #takeTurn(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((waiter) => waiter !== begin);
      reject(new DatabaseBusyError('all connections that writes may use are busy'));
    }, boundedWaitMs(this.#waitMs));
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#waiting.push(begin);
    return promise;
  }

  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #endTurnWith(client: PostgresPoolClient): PostgresPoolClient {
    const release = () => {
      client.release();
      this.#endTurn();
    };
    const query = (sql: string, parameters: readonly unknown[]) => client.query(sql, parameters);
    return { query, release } as unknown as PostgresPoolClient;
  }
}
