import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { DatabaseBusyError } from '../database.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';
import { postgresEngine } from './engine.ts';
import { causeOf, isRefusedLogin } from './postgres-error.ts';

/** How long after a fault, or having fallen behind, the replica is left alone, in milliseconds. */
const restMs = 1_000;

/** Waits for the replica, in milliseconds; it is seldom more than a few behind. */
const waitsMs = [1, 2, 4, 8, 16];

/** The server of `--database-replica` is none, or does not let us in. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError';
}

/**
 * A streaming replica for reads that may come from any copy, as long as it holds every write that was
 * acknowledged before the read began, by whichever process. The primary is asked each time how far it has
 * come: only it knows of everyone's writes. It also serves when the replica is behind, or away.
 */
export class Replica {
  readonly #primary: Session;
  readonly #db: Kysely<Schema>;
  readonly #now: () => number;
  #restsUntilMs = 0;

  constructor(primary: Session, replica: Session, now: () => number) {
    this.#primary = primary;
    this.#db = replica.db;
    this.#now = now;
  }

  /** Runs the work on the replica, or on the primary; it may run on both, and must only read. */
  async read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#now() < this.#restsUntilMs) return work(this.#primary);
    const position = await positionOfPrimary(this.#primary);
    try {
      return await this.#readAt(position, work);
    } catch {
      // Whatever it was: what is no fault of the replica fails on the primary as well.
      this.#restsUntilMs = this.#now() + restMs;
      return work(this.#primary);
    }
  }

  /**
   * Finds a mistake in the settings at the start, which the primary would hide later by serving instead.
   *
   * @throws {ReplicaError} unless it is a replica, or away for the moment
   */
  async check(): Promise<void> {
    try {
      if (!(await hasReplayed(this.#db, '0/0'))) throw new ReplicaError('it is not a streaming replica');
      const [here, there] = await Promise.all([identityOf(this.#primary.db), identityOf(this.#db)]);
      if (here !== there)
        throw new ReplicaError(`it is a replica of another database, ${there} and not ${here}`);
    } catch (error) {
      const cause = causeOf(error);
      if (error instanceof DatabaseBusyError && !isRefusedLogin(cause)) return;
      throw new ReplicaError(
        `the database of --database-replica cannot be used: ${(cause as Error).message}; name a streaming replica of the database of --database, or leave it out`,
      );
    }
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  /** In one transaction, since the next connection may lead to another replica. */
  #readAt<T>(position: string, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#db
      .transaction()
      .setIsolationLevel('read committed')
      .setAccessMode('read only')
      .execute(async (db) => {
        await untilReplayed(db, position);
        return work(queryBuilderSession(db, postgresEngine));
      });
  }
}

/** A cluster keeps its number in all of its replicas; without it another one's positions would be believed. */
async function identityOf(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select current_database() || ' of cluster ' || system_identifier as identity
    from pg_control_system()`.execute(db);
  return rows[0]?.identity ?? '';
}

/** Where the log of the last acknowledged write ends, or later: none is acknowledged before it is flushed. */
async function positionOfPrimary({ db }: Session): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    select cast(pg_current_wal_flush_lsn() as text) as position`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the primary does not tell its position');
  return row.position;
}

/** Rejects when the replica does not come that far in time. */
async function untilReplayed(db: Kysely<Schema>, position: string): Promise<void> {
  for (const waitMs of [...waitsMs, 0]) {
    if (await hasReplayed(db, position)) return;
    await delay(waitMs);
  }
  throw new Error(`the replica has not come to ${position} in time`);
}

/** Never so for a server that has become a primary: its position is no longer that of the other's log. */
async function hasReplayed(db: Kysely<Schema>, position: string): Promise<boolean> {
  const { rows } = await sql<{ replayed: boolean | null }>`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= cast(${position} as pg_lsn) as replayed`.execute(
    db,
  );
  return rows[0]?.replayed === true;
}
