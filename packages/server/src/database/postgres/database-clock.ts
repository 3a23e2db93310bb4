import { type Kysely, sql } from 'kysely';
import type { Schema } from '../queries/schema.ts';
import type { PurgeClock } from '../queries/writes/claims.ts';

/** PostgreSQL's clock, which all nodes share, and how far this process's clock is from it. */
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

  /** On a connection that was made before, so that waiting for one counts as no difference. */
  timeMs(): Promise<number> {
    return this.#db.connection().execute(async (db) => {
      const askedMs = this.#now();
      const timeMs = await readTime(db);
      const answeredMs = this.#now();
      this.#differenceMs = leastDifference(askedMs - timeMs, answeredMs - timeMs);
      return timeMs;
    });
  }
}

/** The database read its clock at some moment between the two; 0 when it may have shown the same. */
function leastDifference(whenAskedMs: number, whenAnsweredMs: number): number {
  if (whenAskedMs > 0) return whenAskedMs;
  return whenAnsweredMs < 0 ? whenAnsweredMs : 0;
}

async function readTime(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ ms: bigint }>`
    select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) as ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the database does not tell its time');
  return Number(row.ms);
}
