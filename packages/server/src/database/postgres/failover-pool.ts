import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { boundedWaitMs, currentDeadline } from '../../deadline.ts';
import { DatabaseBusyError } from '../database.ts';
import { type ClientLimits, clientConfig } from './client-config.ts';
import type { Hosts } from './hosts.ts';
import { PooledConnection } from './pooled-connection.ts';
import { faultOf, isShortage, toBusyError } from './postgres-error.ts';

export interface PoolOptions extends ClientLimits {
  readonly hosts: Hosts;
  /** Connections at most. */
  readonly size: number;
  /** How long to wait for a free connection while all are in use, in milliseconds. */
  readonly acquireTimeoutMs: number;
}

/** The pool of the server in use. */
interface OpenPool {
  readonly connectionString: string;
  readonly pool: pg.Pool;
}

/** A pool over the hosts of one URL. It stays with the server in use and moves on when that one is away. */
export class FailoverPool implements PostgresPool {
  /** Kysely opens no connections of its own beside the pool. */
  readonly options = {};
  readonly #options: PoolOptions;
  readonly #timelines = new WeakMap<pg.ClientBase, number>();
  #open: OpenPool | undefined;
  #ended = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Tries as many times as there are hosts.
   *
   * @throws {DatabaseBusyError} when none serves, all connections are busy, or the call's time is over
   */
  async connect(): Promise<PostgresPoolClient> {
    const { hosts, size } = this.#options;
    for (let attempts = hosts.count; ; attempts--) {
      const open = await this.#poolOfHost();
      try {
        return this.#prepare(await take(open.pool), open);
      } catch (error) {
        const overloaded = open.pool.totalCount >= size;
        if (attempts <= 1 || overloaded || isShortage(error) || faultOf(error) !== 'unavailable')
          throw toBusyError(error, hosts.location);
        hosts.leave(open.connectionString);
      }
    }
  }

  /** May be called again, by each query builder that shares the pool. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#open?.pool.end();
  }

  async #poolOfHost(): Promise<OpenPool> {
    const { hosts } = this.#options;
    const chosen =
      hosts.current() ??
      (await within(boundedWaitMs(Number.POSITIVE_INFINITY), hosts.choose(), () => {}).catch(
        throwBusyError(hosts),
      ));
    if (this.#ended) throw new DatabaseBusyError('the database is being closed');
    if (this.#open?.connectionString === chosen) return this.#open;
    // Connections of the former pool that are in use come to their end by themselves.
    void this.#open?.pool.end();
    this.#open = { connectionString: chosen, pool: this.#createPool(chosen) };
    return this.#open;
  }

  #createPool(connectionString: string): pg.Pool {
    const { size, acquireTimeoutMs } = this.#options;
    const config = clientConfig(connectionString, this.#options);
    const pool = new pg.Pool({
      ...config,
      // The pool has one time-out for both; opening a connection has a shorter one of its own.
      Client: class extends pg.Client {
        constructor() {
          super(config);
        }
      },
      max: size,
      connectionTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: 60_000,
      verify: (client: pg.ClientBase, done: (error?: Error) => void) => {
        this.#prepareSession(client, connectionString).then(() => done(), done);
      },
    });
    // An idle connection that breaks is dropped by the pool; without a listener it would end the process.
    pool.on('error', () => {});
    // So would one that breaks between two statements of a transaction; the next statement tells of it.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  async #prepareSession(client: pg.ClientBase, connectionString: string): Promise<void> {
    const { hosts, statementTimeoutMs } = this.#options;
    // What has all the time that it wants may read whole tables.
    if (statementTimeoutMs > 0) await client.query(indexesOnly);
    this.#timelines.set(client, await hosts.admit(client, connectionString));
  }

  #prepare(client: pg.PoolClient, { connectionString }: OpenPool): PostgresPoolClient {
    const { hosts, statementTimeoutMs } = this.#options;
    const connection = new PooledConnection(client, {
      location: hosts.location,
      statementTimeoutMs,
      isCurrent: () => hosts.accepts(this.#timelines.get(client) ?? 0),
      onLost: () => hosts.leave(connectionString),
    });
    return connection as unknown as PostgresPoolClient;
  }
}

/**
 * Every statement of a request goes through an index. A plan is kept for as long as PostgreSQL does not look at
 * its tables again; one that was made while they were small would read all of them for each request until then.
 */
const indexesOnly = 'set enable_seqscan = off';

function throwBusyError({ location }: Hosts) {
  return (error: unknown): never => {
    throw toBusyError(error, location);
  };
}

/** The pool bounds the wait by its own time-out; a call may have less time left. */
function take(pool: pg.Pool): Promise<pg.PoolClient> {
  const remainingMs = currentDeadline()?.remainingMs;
  if (remainingMs === undefined || (remainingMs > 0 && pool.idleCount > pool.waitingCount))
    return pool.connect();
  return within(remainingMs, pool.connect(), (client) => client.release());
}

/** @param onLate takes what arrives after the time is over */
async function within<T>(waitMs: number, work: Promise<T>, onLate: (value: T) => void): Promise<T> {
  if (waitMs === Number.POSITIVE_INFINITY) return work;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new DatabaseBusyError('the database had no connection in the time of the call'));
    work.then(onLate, () => {});
  }, waitMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
