import { setImmediate as nextIteration } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { ListPosition } from '../../database.ts';
import type { Session } from '../session.ts';
import type { CandidateSource } from './candidate-source.ts';

export interface PagePlan {
  readonly source: CandidateSource;
  /** A condition on `scanned.id`; omitted if the source yields only rows that belong to the list. */
  readonly filter?: RawBuilder<unknown> | undefined;
  /** Leaves out rows that the filter could not judge. */
  readonly recheck?: ((passing: readonly ListPosition[]) => Promise<Rechecked>) | undefined;
  readonly after: ListPosition | undefined;
  readonly limit: number;
  readonly descending?: boolean;
  /** Number of rows to examine before the page ends early. */
  readonly scannedMax?: number;
  /** Number of rows to examine in one statement. */
  readonly chunkMax?: number;
}

export interface Rechecked {
  readonly kept: readonly ListPosition[];
  /** The position at which the page must end, because the check has cost enough. */
  readonly cutAfter?: ListPosition | undefined;
}

export interface PagePositions {
  readonly positions: readonly ListPosition[];
  readonly next?: ListPosition | undefined;
}

/**
 * Ends a condition on one row, so that PostgreSQL looks rows up one by one instead of possibly reading the whole table
 * for a join.
 */
export const oneRowAtATime = sql`limit 1 offset 0`;

export const scannedMaxDefault = 20_000;

/**
 * The embedded database runs a statement on the event loop, and looking up this many users among a million takes it 10 to
 * 20 ms. Others are answered between two statements.
 */
export const chunkMaxDefault = 4_000;

const growth = 4;

/**
 * Reads the positions of a page. Takes increasingly large chunks from the source and keeps the rows that match the
 * filter, until the page is full, the source ends, or enough rows were scanned.
 */
export async function scanPage(session: Session, plan: PagePlan): Promise<PagePositions> {
  const { source, limit, scannedMax = scannedMaxDefault, chunkMax = chunkMaxDefault } = plan;
  const positions: ListPosition[] = [];
  let { after } = plan;
  // One row more than the page holds shows whether anything follows.
  let size = Math.min(limit + 1, chunkMax);
  let spentMs = 0;
  for (
    let scanned = 0;
    scanned < scannedMax;
    scanned += size, size = Math.min(size * growth, chunkMax, scannedMax - scanned)
  ) {
    if (scanned > 0) await nextIteration();
    const startedMs = performance.now();
    const chunk = await source.next(after, size, spentMs);
    if (chunk === undefined) break;
    const wanted = limit + 1 - positions.length;
    const { passing, count, last } = await scan(session, plan, chunk.scanned, wanted);
    const { kept, cutAfter } = (await plan.recheck?.(passing)) ?? { kept: passing };
    // A source may give up after some time. A chunk of which most is kept fills the page soon, so it does not count.
    if (kept.length < size / 2) spentMs += performance.now() - startedMs;
    positions.push(...kept);
    if (positions.length > limit) return { positions: positions.slice(0, limit), next: positions[limit - 1] };
    if (cutAfter !== undefined) return { positions, next: cutAfter };
    // The chunk may have more rows that pass than were wanted.
    if (passing.length === wanted) after = passing.at(-1);
    else after = count < size ? chunk.end : last;
    if (after === undefined) return { positions };
  }
  return { positions, next: after };
}

interface Scan {
  readonly passing: readonly ListPosition[];
  readonly count: number;
  readonly last: ListPosition | undefined;
}

async function scan(
  { db }: Session,
  { filter, descending = false }: PagePlan,
  scanned: RawBuilder<unknown>,
  wanted: number,
): Promise<Scan> {
  if (filter === undefined) {
    const { rows } = await sql<ListPosition>`${scanned}`.execute(db);
    return { passing: rows, count: rows.length, last: rows.at(-1) };
  }
  const [forth, back] = descending ? [backwards, forwards] : [forwards, backwards];
  const { rows } = await sql<{ at: bigint; id: bigint; scanned_count: bigint | null }>`
    with scanned as materialized (${scanned}),
    passing as (select at, id from scanned where ${filter} ${forth} limit ${wanted}),
    final as (select at, id from scanned ${back} limit 1)
    select at, id, cast(null as bigint) as scanned_count from passing
    union all
    select at, id, (select count(*) from scanned) from final`.execute(db);
  const last = rows.find((row) => row.scanned_count !== null);
  const passing = rows.filter((row) => row.scanned_count === null);
  return { passing: inOrder(passing, descending), count: Number(last?.scanned_count ?? 0n), last };
}

const forwards = sql`order by at, id`;

const backwards = sql`order by at desc, id desc`;

/** Sorts the rows, because a union has no order. */
function inOrder(rows: readonly ListPosition[], descending: boolean): ListPosition[] {
  const sign = descending ? -1 : 1;
  return rows
    .map(({ at, id }) => ({ at, id }))
    .sort((a, b) => sign * (compare(a.at, b.at) || compare(a.id, b.id)));
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
