import { type Kysely, sql } from 'kysely';
import { leastDifference } from '../database.ts';
import type { Schema } from '../queries/schema.ts';
import type { PurgeClock } from '../queries/writes/claims.ts';

/** The clocks of this process, in milliseconds. */
export interface OwnClocks {
  /** Since 1970; may step. */
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsedMs: () => number;
}

/** A reading of PostgreSQL's clock. */
export interface ClockReading {
  readonly timeMs: number;
  /** See `Claims.clockDifferenceMs`. */
  readonly differenceMs: number;
  /** How far PostgreSQL's clock is ahead of this process's monotonic one. */
  readonly aheadOfElapsedMs: number;
}

/** PostgreSQL's clock, which all nodes share, and its difference from this process's clock. */
export class DatabaseClock implements PurgeClock {
  readonly #db: Kysely<Schema>;
  readonly #clocks: OwnClocks;
  #latest: ClockReading | undefined;

  /** @param latest the first reading, if there was one */
  constructor(db: Kysely<Schema>, clocks: OwnClocks, latest?: ClockReading) {
    this.#db = db;
    this.#clocks = clocks;
    this.#latest = latest;
  }

  differenceMs(): number | undefined {
    return this.#latest?.differenceMs;
  }

  estimateMs(): number {
    const { now, elapsedMs } = this.#clocks;
    return this.#latest === undefined ? now() : Math.floor(this.#latest.aheadOfElapsedMs + elapsedMs());
  }

  /** Reads on an established connection, so that waiting for one does not count as a difference. */
  async timeMs(): Promise<number> {
    this.#latest = await this.#db.connection().execute((db) => readClock(db, this.#clocks));
    return this.#latest.timeMs;
  }
}

/** Reads PostgreSQL's clock on an established connection. */
export async function readClock(db: Kysely<Schema>, { now, elapsedMs }: OwnClocks): Promise<ClockReading> {
  const [askedMs, askedAtMs] = [now(), elapsedMs()];
  const timeMs = await readTimeMs(db);
  const answeredAtMs = elapsedMs();
  // `now` may step while the question is under way.
  const answeredMs = askedMs + Math.ceil(answeredAtMs - askedAtMs);
  const differenceMs = leastDifference(askedMs - timeMs, answeredMs - timeMs);
  return { timeMs, differenceMs, aheadOfElapsedMs: answeredMs - differenceMs - answeredAtMs };
}

/** Returns the time of PostgreSQL's clock, in Unix milliseconds. */
export async function readTimeMs(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ ms: bigint }>`
    select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) as ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the database does not report its time');
  return Number(row.ms);
}
