import { type Kysely, sql } from 'kysely';
import { leastDifference } from '../database.ts';
import type { Schema } from '../queries/schema.ts';
import type { PurgeClock } from '../queries/writes/claims.ts';

/** PostgreSQL's clock, which all nodes share, and its difference from this process's clock. */
export class DatabaseClock implements PurgeClock {
  readonly #db: Kysely<Schema>;
  readonly #now: () => number;
  #differenceMs: number | undefined;

  constructor(db: Kysely<Schema>, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  differenceMs(): number | undefined {
    return this.#differenceMs;
  }

  /** Measures on an established connection, so that waiting for one does not count as a difference. */
  timeMs(): Promise<number> {
    return this.#db.connection().execute(async (db) => {
      const askedMs = this.#now();
      const timeMs = await readTimeMs(db);
      const answeredMs = this.#now();
      this.#differenceMs = leastDifference(askedMs - timeMs, answeredMs - timeMs);
      return timeMs;
    });
  }
}

/** Returns the time of PostgreSQL's clock, in Unix milliseconds. */
export async function readTimeMs(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ ms: bigint }>`
    select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) as ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the database does not report its time');
  return Number(row.ms);
}
