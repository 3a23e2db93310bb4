import { Kysely, type PostgresPool } from 'kysely';
import type { Notice } from '../../logging/notice.ts';
import { migrate, migrateExisting, type OnMigrated, requireServableSchema } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { newerTablesNotice } from '../migrations/schema-messages.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';
import { parseDatabaseUrl } from './connections/database-url.ts';
import { DatabaseWatch } from './connections/database-watch.ts';
import { FailoverPool, type PoolOptions } from './connections/failover-pool.ts';
import { FairConnections, writeConnectionsMax } from './connections/fair-connections.ts';
import type { Hosts } from './connections/hosts.ts';
import type { PrimaryHistory } from './connections/primary-history.ts';
import { PrimaryHosts } from './connections/primary-hosts.ts';
import { ReplicaHosts } from './connections/replica-hosts.ts';
import { waitForDatabase } from './connections/wait-for-database.ts';
import { type ClockReading, DatabaseClock, type OwnClocks, readClock } from './database-clock.ts';
import { postgresEngine } from './engine.ts';
import { announceLocks } from './locks/announce-locks.ts';
import { MigratingDialect } from './migrating-dialect.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { ReadOnlyPool } from './read-only-pool.ts';
import { Replica, type ReplicaParts } from './replicas/replica.ts';
import { requireUtf8 } from './require-utf8.ts';
import { SnapshotVersion } from './snapshot-version.ts';
import { retryMakingTables } from './transactions/retry-after-race.ts';

export interface PostgresOptions {
  readonly url: string;
  /** A streaming replica for lists only. Without one, the primary serves everything. */
  readonly replicaUrl?: string;
  /** Maximum number of connections for requests, at least two; one more watches the database. */
  readonly poolSize?: number;
  /** How long opening a connection may take, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may take, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /** How long a statement of a readiness check may take, in milliseconds. */
  readonly answerTimeoutMs?: number;
  /** How long to wait for an absent database, in seconds; 0 does not wait. */
  readonly waitSeconds?: number;
  /** False leaves the tables as they are. */
  readonly migrate?: boolean;
  /** False makes no tables in a database without any. */
  readonly create?: boolean;
  readonly onMigrated?: OnMigrated;
  /** Replaces the monotonic clock, in tests; milliseconds. */
  readonly elapsedMs?: () => number;
  /** Replaces both this process's clock and the database's, in tests. */
  readonly now?: () => number;
  /** The knowledge of other processes about the primary; omitted when there is nobody to share it with. */
  readonly history?: PrimaryHistory;
  /** Receives messages for the log. */
  readonly notice?: Notice;
}

/** The limits that the pools of the primary and of the replica have in common. */
type PoolLimits = Omit<PoolOptions, 'hosts' | 'acquireTimeoutMs'>;

/** How long a request waits for a free connection when all are in use, in milliseconds. */
const requestWaitMs = 10_000;

/**
 * Opens a PostgreSQL database and migrates its tables to this release.
 *
 * @throws {DatabaseEncodingError} when it is not in UTF-8
 * @throws {ReplicaError} when the replica's URL leads to something else
 * @throws {BusyError} when the database cannot be reached for longer than the wait
 */
export async function openPostgresDatabase(options: PostgresOptions): Promise<PostgresDatabase> {
  const { url, replicaUrl, poolSize = 10, connectTimeoutMs = 3_000, statementTimeoutMs = 10_000 } = options;
  const { notice = () => {}, now = Date.now, waitSeconds = 0, answerTimeoutMs = 2_000 } = options;
  const limits: PoolLimits = { size: poolSize, connectTimeoutMs, statementTimeoutMs };
  const hosts = new PrimaryHosts(url, {
    connectTimeoutMs,
    notice,
    ...(options.history && { history: options.history }),
  });
  const openAlone = () => openSessionWithoutTimeout(hosts, connectTimeoutMs);
  // `options.elapsedMs` may stand still.
  const clocks = { now, elapsedMs: () => performance.now() };
  const { newer, reading } = await waitForDatabase(
    () => prepareSchema(openAlone, preparation(options, hosts.location), { notice, clocks }),
    {
      waitSeconds,
      location: hosts.location,
      notice,
    },
  );
  if (newer.length > 0) notice({ migrations: newer }, newerTablesNotice(newer));
  const pool = new FailoverPool({ hosts, ...limits, acquireTimeoutMs: requestWaitMs });
  const { reads, writes } = dividePool(pool, hosts, poolSize);
  const primary = openSession(reads);
  const replica =
    replicaUrl === undefined
      ? undefined
      : openReplica(replicaUrl, limits, { primary, notice, elapsedMs: options.elapsedMs });
  const watch = new DatabaseWatch({ hosts, connectTimeoutMs, answerTimeoutMs });
  const dataVersion = new SnapshotVersion(primary.db);
  const clock =
    options.now === undefined
      ? new DatabaseClock(primary.db, clocks, reading)
      : { timeMs: async () => now(), estimateMs: now, differenceMs: () => undefined };
  const database = new PostgresDatabase({
    openAlone,
    connections: { pool, reads, writes, poolSize },
    watch,
    primary,
    writer: writes,
    replica,
    dataVersion,
    clock,
    notice,
    now,
  });
  await replica?.check().catch(async (error) => {
    await database.close();
    throw error;
  });
  return database;
}

/** Divides a pool between reads, which may use every connection, and writes, which may use a part of them. */
function dividePool(pool: FailoverPool, hosts: PrimaryHosts, poolSize: number) {
  const queueing = { waitMs: requestWaitMs, isServing: () => hosts.current() !== undefined };
  const reads = new FairConnections(pool, {
    ...queueing,
    connections: poolSize,
    busyMessage: 'all connections are busy',
  });
  const writes = new FairConnections(pool, {
    ...queueing,
    connections: writeConnectionsMax(poolSize),
    busyMessage: 'all connections that writes may use are busy',
  });
  return { reads, writes };
}

function openReplica(url: string, limits: PoolLimits, parts: Omit<ReplicaParts, 'replica'>): Replica {
  const hosts = new ReplicaHosts(parseDatabaseUrl(url));
  const pool = new FailoverPool({ hosts, ...limits, acquireTimeoutMs: limits.connectTimeoutMs });
  return new Replica({ ...parts, replica: openSession(pool) });
}

export function openSession(pool: PostgresPool): Session {
  return queryBuilderSession(new Kysely<Schema>({ dialect: new MigratingDialect({ pool }) }), postgresEngine);
}

/**
 * Returns how long a command waits for a connection: as long as the servers, but at least ten seconds, because it tries
 * only once.
 *
 * @param ofServersMs the setting of the servers, if known
 */
export function commandConnectTimeoutMs(ofServersMs = 0): number {
  return Math.max(10_000, ofServersMs);
}

/**
 * Opens a connection without a statement time-out, because migrating a large table may take long.
 *
 * @param to the hosts of an open database, or a URL
 */
export function openSessionWithoutTimeout(to: string | Hosts, connectTimeoutMs: number): Session {
  const pool = poolOfOne(to, connectTimeoutMs);
  // The pool has one connection, so the texts go into the transaction that is open on it.
  return { ...openSession(pool), copyTexts: (statement, texts) => pool.copyTexts(statement, texts) };
}

/** Opens a connection that cannot write. A statement waits for a lock no longer than `lockTimeoutMs`. */
export function openReadingSession(url: string, connectTimeoutMs: number, lockTimeoutMs: number): Session {
  return openSession(new ReadOnlyPool(poolOfOne(url, connectTimeoutMs), lockTimeoutMs));
}

function poolOfOne(to: string | Hosts, connectTimeoutMs: number): FailoverPool {
  const hosts = typeof to === 'string' ? new PrimaryHosts(to, { connectTimeoutMs }) : to;
  return new FailoverPool({
    hosts,
    size: 1,
    connectTimeoutMs,
    acquireTimeoutMs: connectTimeoutMs,
    statementTimeoutMs: 0,
    keepsConnection: true,
  });
}

type Preparation = (session: Session) => Promise<readonly string[]>;

function preparation(
  options: Pick<PostgresOptions, 'migrate' | 'create' | 'onMigrated'>,
  location: string,
): Preparation {
  const prepare = schemaPreparation(options, location);
  return async (session) => {
    await requireUtf8(session, location);
    return prepare(session);
  };
}

function schemaPreparation(
  options: Pick<PostgresOptions, 'migrate' | 'create' | 'onMigrated'>,
  location: string,
): Preparation {
  if (options.migrate === false) return (session) => requireServableSchema(session, location);
  if (options.create === false) return (session) => migrateExisting(session, location);
  return (session) => migrate(session, migrations, options.onMigrated);
}

interface Prepared {
  readonly newer: readonly string[];
  readonly reading: ClockReading;
}

/** Also reads the clock, so that commands, too, know the database's time from the start. */
async function prepareSchema(
  openAlone: () => Session,
  prepare: Preparation,
  { notice, clocks }: { readonly notice: Notice; readonly clocks: OwnClocks },
): Promise<Prepared> {
  const session = openAlone();
  try {
    const prepareNow = () => retryMakingTables(() => prepare(session));
    const newer = await announceLocks(session, prepareNow, { openSession: openAlone, notice });
    return { newer, reading: await readClock(session.db, clocks) };
  } finally {
    await session.db.destroy();
  }
}
