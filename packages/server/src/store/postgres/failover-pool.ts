import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { againAfterRace } from './again-after-race.ts';
import { type DatabaseUrl, parseDatabaseUrl } from './database-url.ts';
import { faultOf, tellBusy } from './postgres-error.ts';

export interface PoolOptions {
  readonly url: string;
  /** Connections at most. */
  readonly size: number;
  /** How long to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long a statement may take, in milliseconds; 0 sets no limit. */
  readonly statementTimeoutMs: number;
  /** False for a replica, which takes no writes. */
  readonly writable: boolean;
}

/** How much longer than the database the driver waits, before it takes the connection for dead. */
const networkGraceMs = 2_000;

/** An open transaction that nobody continues would hold its locks; a stuck process must not. */
const idleInTransactionMs = 30_000;

/**
 * A pool over the hosts of one URL. It stays with the host that serves and moves on to the next when that
 * one is away or, where writes are wanted, has become a replica.
 */
export class FailoverPool implements PostgresPool {
  /** Kysely opens no connections of its own beside the pool. */
  readonly options = {};
  readonly place: string;
  readonly #url: DatabaseUrl;
  readonly #options: PoolOptions;
  #hostIndex = 0;
  #pool: pg.Pool;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#url = parseDatabaseUrl(options.url);
    this.place = this.#url.place;
    this.#pool = this.#createPool();
  }

  /**
   * Tries each host once, beginning with the one in use.
   *
   * @throws {StoreBusyError} when none serves, or all connections are busy
   */
  async connect(): Promise<PostgresPoolClient> {
    for (let attempts = this.#url.connectionStrings.length; ; attempts--) {
      const pool = this.#pool;
      try {
        return this.#prepare(await pool.connect(), pool);
      } catch (error) {
        const overloaded = pool.totalCount >= this.#options.size;
        if (attempts <= 1 || overloaded || faultOf(error) !== 'unavailable')
          throw tellBusy(error, this.place);
        this.#moveOn(pool);
      }
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Leaves a host; connections in use come to their end by themselves. */
  #moveOn(from: pg.Pool): void {
    if (this.#pool !== from || this.#url.connectionStrings.length === 1) return;
    this.#hostIndex = (this.#hostIndex + 1) % this.#url.connectionStrings.length;
    this.#pool = this.#createPool();
    void from.end();
  }

  #createPool(): pg.Pool {
    const { size, connectTimeoutMs } = this.#options;
    const pool = new pg.Pool({
      ...clientConfig(this.#url.connectionStrings[this.#hostIndex] ?? '', this.#options),
      max: size,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 60_000,
      verify: (client: pg.ClientBase, done: (error?: Error) => void) => {
        prepareSession(client, this.#options).then(() => done(), done);
      },
    });
    // An idle connection that breaks is dropped by the pool; without a listener it would end the process.
    pool.on('error', () => {});
    // So would one that breaks between two statements of a transaction; the next statement tells of it.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  /** A connection that broke, or leads to a demoted primary, is closed instead of kept. */
  #prepare(client: pg.PoolClient, pool: pg.Pool): PostgresPoolClient {
    let broken = false;
    const query = async (sql: string, parameters: readonly unknown[]) => {
      const send = () => client.query({ text: sql, values: [...parameters], ...nameOf(sql) });
      try {
        return await (client.getTransactionStatus() === 'I' ? againAfterRace(send) : send());
      } catch (error) {
        if (faultOf(error) === 'unavailable') {
          broken = true;
          this.#moveOn(pool);
        }
        throw tellBusy(error, this.place);
      }
    };
    return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient;
  }
}

/** How every connection of the directory is set up. */
export function clientConfig(
  connectionString: string,
  { connectTimeoutMs, statementTimeoutMs }: Pick<PoolOptions, 'connectTimeoutMs' | 'statementTimeoutMs'>,
): pg.ClientConfig {
  return {
    connectionString,
    application_name: 'fieldroster',
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    types: { getTypeParser },
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + networkGraceMs,
    }),
  };
}

/** 64-bit integers arrive as `bigint`; the driver's default would be text. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text');
}

/**
 * Every statement of a request goes through an index. A plan is kept for as long as PostgreSQL does not look at
 * its tables again; one that was made while they were small would read all of them for each request until then.
 */
const indexesOnly = 'set enable_seqscan = off';

/** Refuses a new connection that leads to a replica, where writes are wanted. */
async function prepareSession(
  client: pg.ClientBase,
  { statementTimeoutMs, writable }: PoolOptions,
): Promise<void> {
  // What has all the time that it wants may read whole tables.
  if (statementTimeoutMs > 0) await client.query(indexesOnly);
  if (!writable) return;
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw notPrimary();
}

function notPrimary(): Error {
  return Object.assign(new Error('this host takes no writes'), { code: '25006' });
}

const names = new Map<string, string>();

/** Statements beyond this count are not kept prepared; only generated ones come near. */
const namesMax = 500;

/** A statement with a name is parsed and planned once for each connection. */
function nameOf(sql: string): { name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= namesMax) return {};
  const name = `fieldroster_${names.size}`;
  names.set(sql, name);
  return { name };
}
