import { type Kysely, sql } from 'kysely';
import { DatabaseBusyError } from '../database.ts';
import type { Schema } from '../queries/schema.ts';

/**
 * Tells whether anything was committed. Two snapshots of PostgreSQL that read the same show the same rows: the
 * number of a transaction leaves the range of those to come, or the list of those under way, when it ends.
 *
 * Numbers may be given out again by the server that takes over, and after a crash, which also makes PostgreSQL
 * begin its statistics anew: when it did, and when it started, are parts of the version. Source: `StartupXLOG` of
 * PostgreSQL 18, and the tests here.
 */
export class SnapshotVersion {
  readonly #db: Kysely<Schema>;
  #unknown = 0;
  #next: Promise<string> | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  /** Asks the database, once for all who ask before it is asked: a round trip is dear. */
  current(): Promise<string> {
    this.#next ??= this.#askAfter(this.#underWay);
    return this.#next;
  }

  async #askAfter(previous: Promise<unknown>): Promise<string> {
    await Promise.allSettled([previous]);
    await new Promise(setImmediate);
    this.#underWay = this.#ask();
    // Whoever asks from now on may know of a later commit.
    this.#next = undefined;
    return this.#underWay as Promise<string>;
  }

  async #ask(): Promise<string> {
    try {
      const { rows } = await this.#db.executeQuery<{ version: string }>(selectVersion.compile(this.#db));
      const [row] = rows;
      if (row !== undefined) return row.version;
    } catch (error) {
      if (error instanceof DatabaseBusyError) throw error;
    }
    // A database that only speaks PostgreSQL's protocol may lack a function; then it may have changed each time.
    this.#unknown += 1;
    return `unknown ${this.#unknown}`;
  }
}

const selectVersion = sql<{ version: string }>`
  select concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
    extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), pg_current_snapshot()) as version`;
