import { type RawBuilder, sql } from 'kysely';
import type { ListPlace } from '../../database.ts';
import type { Session } from '../session.ts';
import type { CandidateSource } from './candidate-source.ts';

export interface PagePlan {
  readonly source: CandidateSource;
  /** A condition on `looked.id`; left out where the source brings only what belongs to the list. */
  readonly filter?: RawBuilder<unknown> | undefined;
  readonly after: ListPlace | undefined;
  readonly limit: number;
  readonly descending?: boolean;
  /** Rows to look at before the page ends as it is. */
  readonly lookedMax?: number;
}

export interface PagePlaces {
  readonly places: readonly ListPlace[];
  readonly next?: ListPlace | undefined;
}

/**
 * Ends a condition on one place: PostgreSQL then looks rows up place by place, where it might otherwise read
 * the whole table to join it.
 */
export const oneRowAtATime = sql`limit 1 offset 0`;

/** Some 20 ms of work on the embedded database. */
const lookedAtMost = 20_000;

const growth = 4;

/**
 * Reads the places of a page: takes chunks of the source, each larger than the one before, and keeps what
 * the filter lets through, until the page is full, nothing follows, or enough was looked at.
 */
export async function readPage(session: Session, plan: PagePlan): Promise<PagePlaces> {
  const { source, limit, lookedMax = lookedAtMost } = plan;
  const places: ListPlace[] = [];
  let { after } = plan;
  // One more than the page holds tells whether anything follows.
  let size = limit + 1;
  for (
    let looked = 0;
    looked < lookedMax;
    looked += size, size = Math.min(size * growth, lookedMax - looked)
  ) {
    const chunk = await source.next(after, size);
    if (chunk === undefined) break;
    const { kept, count, last } = await look(session, plan, chunk.looked, limit + 1 - places.length);
    places.push(...kept);
    if (places.length > limit) return { places: places.slice(0, limit), next: places[limit - 1] };
    after = count < size ? chunk.end : last;
    if (after === undefined) return { places };
  }
  return { places, next: after };
}

interface Look {
  readonly kept: readonly ListPlace[];
  readonly count: number;
  readonly last: ListPlace | undefined;
}

async function look(
  { db }: Session,
  { filter, descending = false }: PagePlan,
  looked: RawBuilder<unknown>,
  wanted: number,
): Promise<Look> {
  if (filter === undefined) {
    const { rows } = await sql<ListPlace>`${looked}`.execute(db);
    return { kept: rows, count: rows.length, last: rows.at(-1) };
  }
  const [forth, back] = descending ? [backwards, forwards] : [forwards, backwards];
  const { rows } = await sql<{ at: bigint; id: bigint; looked_at: bigint | null }>`
    with looked as materialized (${looked}),
    kept as (select at, id from looked where ${filter} ${forth} limit ${wanted}),
    final as (select at, id from looked ${back} limit 1)
    select at, id, cast(null as bigint) as looked_at from kept
    union all
    select at, id, (select count(*) from looked) from final`.execute(db);
  const last = rows.find((row) => row.looked_at !== null);
  const kept = rows.filter((row) => row.looked_at === null);
  return { kept: inOrder(kept, descending), count: Number(last?.looked_at ?? 0n), last };
}

const forwards = sql`order by at, id`;

const backwards = sql`order by at desc, id desc`;

/** A union has no order of its own. */
function inOrder(rows: readonly ListPlace[], descending: boolean): ListPlace[] {
  const sign = descending ? -1 : 1;
  return rows
    .map(({ at, id }) => ({ at, id }))
    .sort((a, b) => sign * (compare(a.at, b.at) || compare(a.id, b.id)));
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
