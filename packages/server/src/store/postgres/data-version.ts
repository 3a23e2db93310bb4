import { type Kysely, sql } from 'kysely';
import type { Schema } from '../kysely/schema.ts';

/** What tells one run of the database from another: the connections that were opened, as a count. */
export interface ConnectionCount {
  readonly connectionsOpened: number;
}

/**
 * Tells whether anything was committed. Two snapshots of PostgreSQL that read the same show the same rows: the
 * number of a transaction leaves the range of those to come, or the list of those under way, when it ends.
 *
 * Numbers may be given out again after a crash, or by the server that takes over; neither keeps a connection,
 * so that the count of those that were opened is a part of the version.
 */
export class DataVersion {
  readonly #db: Kysely<Schema>;
  readonly #pool: ConnectionCount;
  #next: Promise<string> | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(db: Kysely<Schema>, pool: ConnectionCount) {
    this.#db = db;
    this.#pool = pool;
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
    const { rows } = await this.#db.executeQuery<{ version: string }>(selectVersion.compile(this.#db));
    const [row] = rows;
    if (row === undefined) throw new TypeError('the database does not tell its snapshot');
    return `${this.#pool.connectionsOpened} ${row.version}`;
  }
}

const selectVersion = sql<{ version: string }>`
  select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), pg_current_snapshot()) as version`;
