import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { BusyError } from '../../../errors/busy-error.ts';
import { boundedWaitMs, currentDeadline } from '../../../time/deadline.ts';
import { withinMs } from '../../../time/within-ms.ts';
import { faultOf, isOutOfConnections, toConnectError } from '../errors/postgres-error.ts';
import { prepareStart } from '../transactions/transaction-start.ts';
import { type ClientLimits, clientConfig } from './client-config.ts';
import type { Hosts } from './hosts.ts';
import { PooledConnection, UnsentStatementError } from './pooled-connection.ts';

export interface PoolOptions extends ClientLimits {
  readonly hosts: Hosts;
  /** Maximum number of connections. */
  readonly size: number;
  /** How long to wait for a free connection when all are in use, in milliseconds. */
  readonly acquireTimeoutMs: number;
  /**
   * Never replaces a connection that was lost, or closes an idle one: a transaction and temporary tables end with their
   * connection, and what follows on another one would be committed alone.
   */
  readonly keepsConnection?: boolean;
}

/** How busy a pool is. */
export interface PoolUse {
  readonly inUse: number;
  readonly waiting: number;
}

/** The pool of the server in use. */
interface OpenPool {
  readonly connectionString: string;
  readonly pool: pg.Pool;
}

/** A pool over the hosts of one URL. It stays with the server in use and moves on when that server is away. */
export class FailoverPool implements PostgresPool {
  /** Keeps Kysely from opening connections outside the pool. */
  readonly options = {};
  readonly #options: PoolOptions;
  readonly #timelines = new WeakMap<pg.ClientBase, number>();
  #open: OpenPool | undefined;
  #wasConnected = false;
  #ended = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt per host.
   *
   * @throws {BusyError} when no host serves, all connections are busy, or the call is out of time
   */
  connect(): Promise<PostgresPoolClient> {
    return this.#take() as Promise<unknown> as Promise<PostgresPoolClient>;
  }

  /** Sends texts to a `COPY … FROM STDIN`; errors as for `connect`. */
  async copyTexts(statement: string, texts: AsyncIterable<string>): Promise<void> {
    const connection = await this.#take();
    await connection.copyTexts(statement, texts).finally(() => connection.release());
  }

  async #take(): Promise<PooledConnection> {
    const { hosts, size } = this.#options;
    for (let attempts = hosts.count; ; attempts--) {
      const open = await this.#poolOfHost();
      this.#refuseReplacement(open);
      try {
        const client = await take(open.pool);
        this.#wasConnected = true;
        return this.#prepare(client, open);
      } catch (error) {
        const overloaded = open.pool.totalCount >= size;
        if (attempts <= 1 || overloaded || isOutOfConnections(error) || faultOf(error) !== 'unavailable')
          throw toConnectError(error, hosts.location);
        hosts.leave(open.connectionString);
      }
    }
  }

  /** @throws {UnsentStatementError} when a connection that must be kept is gone */
  #refuseReplacement({ pool }: OpenPool): void {
    const { hosts, keepsConnection = false } = this.#options;
    if (keepsConnection && this.#wasConnected && pool.totalCount === 0)
      throw new UnsentStatementError(
        `the database at ${hosts.location} is unavailable: the connection was lost`,
      );
  }

  /** Connections taken and requests without one, at this moment. */
  get use(): PoolUse {
    const { pool } = this.#open ?? {};
    if (pool === undefined) return { inUse: 0, waiting: 0 };
    return { inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
  }

  /** May be called again by each query builder that shares the pool. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#open?.pool.end();
  }

  async #poolOfHost(): Promise<OpenPool> {
    const { hosts } = this.#options;
    const chosen =
      hosts.current() ??
      (await takeWithin(boundedWaitMs(Number.POSITIVE_INFINITY), hosts.choose(), () => {}).catch(
        throwBusyError(hosts),
      ));
    if (this.#ended) throw new BusyError('the database is being closed');
    if (this.#open?.connectionString === chosen) return this.#open;
    // Busy connections of the former pool finish on their own.
    void this.#open?.pool.end();
    this.#open = { connectionString: chosen, pool: this.#createPool(chosen) };
    return this.#open;
  }

  #createPool(connectionString: string): pg.Pool {
    const { size, acquireTimeoutMs, keepsConnection = false } = this.#options;
    const config = clientConfig(connectionString, this.#options);
    const pool = new pg.Pool({
      ...config,
      // The pool gives its clients the time-out for waiting. Connecting has a shorter one, so this class ignores the
      // options of the pool.
      Client: class extends pg.Client {
        constructor() {
          super(config);
        }
      },
      max: size,
      connectionTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: keepsConnection ? 0 : 60_000,
      verify: (client: pg.ClientBase, done: (error?: Error) => void) => {
        this.#prepareSession(client, connectionString).then(() => done(), done);
      },
    });
    // The pool drops an idle connection that breaks; without a listener the error would end the process.
    pool.on('error', () => {});
    // Without a listener, a connection in use that breaks between two statements would end the process too. The next
    // statement reports the error.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  async #prepareSession(client: pg.ClientBase, connectionString: string): Promise<void> {
    const { hosts, statementTimeoutMs } = this.#options;
    await client.query(readCommitted);
    await client.query(durableCommits);
    // Work without a time limit may read whole tables.
    if (statementTimeoutMs > 0) {
      await client.query(`${indexesOnly}; ${indexOrder}`);
      await prepareStart(client);
    }
    this.#timelines.set(client, await hosts.admit(client, connectionString));
  }

  #prepare(client: pg.PoolClient, { connectionString }: OpenPool): PooledConnection {
    const { hosts, statementTimeoutMs } = this.#options;
    return new PooledConnection(client, {
      location: hosts.location,
      statementTimeoutMs,
      isCurrent: () => hosts.accepts(this.#timelines.get(client) ?? 0, connectionString),
      onLost: () => hosts.leave(connectionString),
    });
  }
}

/**
 * Makes a statement that follows a lock see what was committed while it waited. A database may prefer another level, and
 * the transactions of migrations name none.
 */
const readCommitted = `set default_transaction_isolation = 'read committed'`;

/**
 * Makes a commit wait for the disk, even if the database prefers that it does not, now or later: a crash of PostgreSQL would
 * lose acknowledged writes. The values that decide how far to wait for replicas stay.
 */
const durableCommits = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit', true) in ('on', 'off')`;

/**
 * Makes every statement of a request use an index. PostgreSQL keeps a plan until it analyzes the tables again; a plan
 * made while they were small would otherwise read them in full for each request until then.
 */
const indexesOnly = 'set enable_seqscan = off';

/**
 * Makes a list read its candidates in the order of an index, and end with its page. While PostgreSQL has no statistics, it
 * expects a few hundred rows in a tenant, and at the default of 4 it would rather read and sort all of them for each
 * statement: half a million, ten times for one page.
 */
const indexOrder = 'set random_page_cost = 1.1';

function throwBusyError({ location }: Hosts) {
  return (error: unknown): never => {
    throw toConnectError(error, location);
  };
}

/** Limits the wait to the call's remaining time, which may be less than the pool's own time-out. */
function take(pool: pg.Pool): Promise<pg.PoolClient> {
  const remainingMs = currentDeadline()?.remainingMs;
  if (remainingMs === undefined || (remainingMs > 0 && pool.idleCount > pool.waitingCount))
    return pool.connect();
  return takeWithin(remainingMs, pool.connect(), (client) => client.release());
}

/** @param giveBack receives a value that arrives after the time limit */
async function takeWithin<T>(waitMs: number, taking: Promise<T>, giveBack: (value: T) => void): Promise<T> {
  if (waitMs === Number.POSITIVE_INFINITY) return taking;
  return withinMs(taking, waitMs, () => {
    taking.then(giveBack, () => {});
    throw new BusyError('the database had no free connection within the time of the call');
  });
}
