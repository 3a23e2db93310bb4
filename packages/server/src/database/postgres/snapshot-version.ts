import { type Kysely, sql } from 'kysely';
import { BusyError } from '../../errors/busy-error.ts';
import { type Deadline, runUnderDeadline } from '../../time/deadline.ts';
import type { Schema } from '../queries/schema.ts';

/**
 * Detects whether anything was committed. Equal PostgreSQL snapshots show the same rows: when a transaction ends, its
 * id leaves the range of future ids or the list of running ones.
 *
 * A server that takes over, or one that crashed, may reuse ids. A crash also resets PostgreSQL's statistics, so the
 * version includes the time of that reset and the server's start time. Source: `StartupXLOG` of PostgreSQL 18, and the
 * tests here.
 */
export class SnapshotVersion {
  readonly #db: Kysely<Schema>;
  #unknown = 0;
  #next: Promise<string> | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  /**
   * Asks the database once for all callers that are waiting, because a round trip is expensive. It asks under the
   * deadline of the first, which is the earliest.
   */
  current(deadline?: Deadline): Promise<string> {
    this.#next ??= this.#askAfter(this.#underWay, deadline);
    return this.#next;
  }

  async #askAfter(previous: Promise<unknown>, deadline: Deadline | undefined): Promise<string> {
    await Promise.allSettled([previous]);
    await new Promise(setImmediate);
    this.#underWay = deadline === undefined ? this.#ask() : runUnderDeadline(deadline, () => this.#ask());
    // Later callers may know of a later commit.
    this.#next = undefined;
    return this.#underWay as Promise<string>;
  }

  async #ask(): Promise<string> {
    try {
      const { rows } = await this.#db.executeQuery<{ version: string }>(selectVersion.compile(this.#db));
      const [row] = rows;
      if (row !== undefined) return row.version;
    } catch (error) {
      if (error instanceof BusyError) throw error;
    }
    // A database that is only compatible with PostgreSQL's protocol may lack a function; assume a change each time.
    this.#unknown += 1;
    return `unknown ${this.#unknown}`;
  }
}

const selectVersion = sql<{ version: string }>`
  select concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
    extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), pg_current_snapshot()) as version`;
