import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { BusyError } from '../../../errors/busy-error.ts';
import { OperatorError } from '../../../errors/operator-error.ts';
import { atMostEvery } from '../../../logging/at-most-every.ts';
import type { Notice } from '../../../logging/notice.ts';
import { queryBuilderSession } from '../../queries/query-builder-session.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session } from '../../queries/session.ts';
import { postgresEngine } from '../engine.ts';
import { causeOf, isRefusedConnection } from '../errors/postgres-error.ts';

/** How long the replica is left alone after a fault or after having fallen behind, in milliseconds. */
const restMs = 1_000;

/** A replica is often behind for a moment while much is written, which is no reason for a notice. */
const quietMs = 60_000;

const noticeIntervalMs = 600_000;

/** Successive waits for the replica, in milliseconds; it is seldom more than a few behind. */
const waitsMs = [1, 2, 4, 8, 16];

/** The server of `--database-replica` is not a replica, or rejects our login. */
export class ReplicaError extends OperatorError {
  override readonly name = 'ReplicaError';
}

export interface ReplicaParts {
  readonly primary: Session;
  readonly replica: Session;
  /** A monotonic clock, in milliseconds. A clock that is set back would make the replica rest for long. */
  readonly elapsedMs?: (() => number) | undefined;
  /** Receives why the replica has not served for a minute, and again every ten minutes. */
  readonly notice: Notice;
}

/**
 * A streaming replica. It serves a read only if it holds every write that any process had acknowledged before the read
 * began. Each read asks the primary for its position, because only the primary knows of all writes. The primary also
 * serves when the replica is behind or away.
 */
export class Replica {
  readonly #primary: Session;
  readonly #db: Kysely<Schema>;
  readonly #elapsedMs: () => number;
  readonly #notice: Notice;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  /** When the replica first failed to serve since it last served. */
  #failsSinceMs: number | undefined;
  readonly #mayNotice: () => boolean;

  constructor({ primary, replica, notice, elapsedMs = () => performance.now() }: ReplicaParts) {
    this.#primary = primary;
    this.#db = replica.db;
    this.#elapsedMs = elapsedMs;
    this.#notice = notice;
    this.#mayNotice = atMostEvery(noticeIntervalMs, elapsedMs);
  }

  /** Runs the work on the replica or on the primary. It may run on both, so it must only read. */
  async read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#elapsedMs() < this.#restsUntilMs) return work(this.#primary);
    const position = await positionOfPrimary(this.#primary);
    try {
      const result = await this.#readAt(position, work);
      this.#failsSinceMs = undefined;
      return result;
    } catch (error) {
      this.#restsUntilMs = this.#elapsedMs() + restMs;
      // An error that is not the replica's fault also occurs on the primary.
      const result = await work(this.#primary);
      this.#noteFailure(causeOf(error) as Error);
      return result;
    }
  }

  /**
   * Reports a configuration mistake at the start; later the primary would hide it by serving instead.
   *
   * @throws {ReplicaError} unless the server is a replica, or away for the moment
   */
  async check(): Promise<void> {
    try {
      if (!(await hasReplayed(this.#db, '0/0'))) throw new ReplicaError('it is not a streaming replica');
      const [here, there] = await Promise.all([identityOf(this.#primary.db), identityOf(this.#db)]);
      if (here !== there)
        throw new ReplicaError(`it is a replica of another database, ${there} and not ${here}`);
    } catch (error) {
      const cause = causeOf(error);
      if (error instanceof BusyError && !isRefusedConnection(cause)) return;
      throw new ReplicaError(
        `the database of --database-replica cannot be used: ${(cause as Error).message}; name a streaming replica of the database of --database, or leave it out`,
      );
    }
  }

  /** Reports a replica that never serves, which nobody would notice otherwise. */
  #noteFailure({ message }: Error): void {
    const nowMs = this.#elapsedMs();
    this.#failsSinceMs ??= nowMs;
    const failsForMs = nowMs - this.#failsSinceMs;
    if (failsForMs < quietMs || !this.#mayNotice()) return;
    const seconds = Math.round(failsForMs / 1000);
    this.#notice(
      { cause: message },
      `the database of --database-replica has served no read for ${seconds} s; the primary serves reads instead`,
    );
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  /** Uses one transaction, because the next connection may lead to another replica. */
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

/** Returns the identity shared by a cluster's replicas; another cluster's positions must not be trusted. */
async function identityOf(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select current_database() || ' of cluster ' || system_identifier as identity
    from pg_control_system()`.execute(db);
  return rows[0]?.identity ?? '';
}

/** Returns a log position at or after the last acknowledged write: no write is acknowledged before it is flushed. */
async function positionOfPrimary({ db }: Session): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    select cast(pg_current_wal_flush_lsn() as text) as position`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the primary does not report its position');
  return row.position;
}

/** Rejects when the replica does not reach the position in time. */
async function untilReplayed(db: Kysely<Schema>, position: string): Promise<void> {
  for (const waitMs of [...waitsMs, 0]) {
    if (await hasReplayed(db, position)) return;
    await delay(waitMs);
  }
  throw new Error(`the replica did not replay up to ${position} in time`);
}

/** Never true for a server promoted to primary: its position no longer refers to the other's log. */
async function hasReplayed(db: Kysely<Schema>, position: string): Promise<boolean> {
  const { rows } = await sql<{ replayed: boolean | null }>`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= cast(${position} as pg_lsn) as replayed`.execute(
    db,
  );
  return rows[0]?.replayed === true;
}
