import { Kysely, PostgresDialect } from 'kysely';
import type { Schema } from '../kysely/schema.ts';
import type { Session } from '../kysely/session.ts';
import { migrate, newerTablesNotice, requireServableSchema } from '../migrations/migrate.ts';
import { againAfterRace } from './again-after-race.ts';
import { postgresEngine } from './engine.ts';
import { FailoverPool } from './failover-pool.ts';
import { PostgresStore } from './postgres-store.ts';
import { Replica } from './replica.ts';
import { SnapshotVersion } from './snapshot-version.ts';
import { groupedUserLookUps } from './user-look-ups.ts';

export interface PostgresOptions {
  readonly url: string;
  /** A streaming replica, for lists only; the primary serves everything where it is left out. */
  readonly replicaUrl?: string;
  /** Connections at most. */
  readonly poolSize?: number;
  /** How long to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may take, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /** False leaves the tables as they are. */
  readonly migrate?: boolean;
  /** Takes what an operator should know of the database. */
  readonly notice?: (fields: object, message: string) => void;
  readonly now?: () => number;
}

/**
 * Opens a PostgreSQL database and brings its tables to this release.
 *
 * @throws {ReplicaError} when the replica's URL leads to something else
 */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { url, replicaUrl, poolSize = 10, connectTimeoutMs = 3_000, statementTimeoutMs = 10_000 } = options;
  const limits = { connectTimeoutMs, statementTimeoutMs };
  const prepare = options.migrate === false ? requireServableSchema : migrate;
  const newer = await prepareSchema(url, connectTimeoutMs, prepare);
  if (newer.length > 0) options.notice?.({ migrations: newer }, newerTablesNotice(newer));
  const now = options.now ?? Date.now;
  const open = (toUrl: string, writable: boolean) =>
    openSession(new FailoverPool({ url: toUrl, size: poolSize, writable, ...limits }));
  const primary = { ...open(url, true), userLookUps: groupedUserLookUps() };
  const replica = replicaUrl === undefined ? undefined : new Replica(primary, open(replicaUrl, false), now);
  const dataVersion = new SnapshotVersion(primary.db);
  const store = new PostgresStore({ url, connectTimeoutMs, primary, replica, dataVersion, now });
  await replica?.check().catch(async (error) => {
    await store.close();
    throw error;
  });
  return store;
}

export function openSession(pool: FailoverPool): Session {
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), engine: postgresEngine };
}

/** A connection without a statement time-out: a migration of a large table takes what it takes. */
export function openUnhurriedSession(url: string, connectTimeoutMs: number): Session {
  return openSession(
    new FailoverPool({ url, size: 1, writable: true, connectTimeoutMs, statementTimeoutMs: 0 }),
  );
}

async function prepareSchema(
  url: string,
  connectTimeoutMs: number,
  prepare: (session: Session) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const session = openUnhurriedSession(url, connectTimeoutMs);
  try {
    return await againAfterRace(() => prepare(session));
  } finally {
    await session.db.destroy();
  }
}
