import { setImmediate as nextIteration } from 'node:timers/promises';
import { sql } from 'kysely';
import type {
  CallHistoryRow,
  CallHistorySelection,
  CallSelection,
  CallSummary,
  CallTotals,
  CallTotalsSince,
} from '../../call-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { histogramColumns } from './histogram-columns.ts';

type CountRow = Schema['call_summary'];

const hourMs = 3_600_000;

const countColumns = ['calls', 'total_us', ...histogramColumns] as const;

/** Returns the rows in the one order of all transactions, so that two cannot deadlock. */
export function toCountRows(summaries: readonly CallSummary[]): CountRow[] {
  return summaries.map(toCountRow).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function toCountRow({ minuteMs, appId, operation, code, calls, totalUs, histogram }: CallSummary): CountRow {
  const steps = histogramColumns.map((name, index) => [name, BigInt(histogram[index] ?? 0)]);
  return {
    start_at: BigInt(minuteMs),
    app_id: appId,
    operation,
    code: BigInt(code),
    calls: BigInt(calls),
    total_us: BigInt(Math.round(totalUs)),
    ...(Object.fromEntries(steps) as Record<(typeof histogramColumns)[number], bigint>),
  };
}

function keyOf({ start_at, app_id, operation, code }: CountRow): string {
  return `${start_at} ${app_id}\n${operation} ${code}`;
}

/** Adds up minutes to hours, whose start takes the place of the minute's. */
export function sumByHour(summaries: readonly CallSummary[]): CallSummary[] {
  const hours = new Map<string, CallSummary>();
  for (const summary of summaries) {
    const hour = { ...summary, minuteMs: Math.floor(summary.minuteMs / hourMs) * hourMs };
    const key = `${hour.minuteMs} ${hour.appId}\n${hour.operation} ${hour.code}`;
    const known = hours.get(key);
    hours.set(key, known === undefined ? hour : add(known, hour));
  }
  return [...hours.values()];
}

function add<Totals extends CallTotals>(one: Totals, other: CallTotals): Totals {
  return {
    ...one,
    calls: one.calls + other.calls,
    totalUs: one.totalUs + other.totalUs,
    histogram: one.histogram.map((count, step) => count + (other.histogram[step] ?? 0)),
  };
}

/** Adds to the rows of other processes, which count the same minute or hour. */
export async function addCounts(
  { db }: Session,
  table: 'call_summary' | 'call_hour',
  rows: readonly CountRow[],
): Promise<void> {
  const sums = Object.fromEntries(
    countColumns.map((name) => [
      name,
      sql<bigint>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ]),
  );
  await db
    .insertInto(table)
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['start_at', 'app_id', 'operation', 'code']).doUpdateSet(sums))
    .execute();
}

/** A start that no row reaches. */
const noStart = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * How many rows a statement adds up, and those of the same minute or hour as the last of them. The embedded database does
 * so on the event loop, in some 10 ms, and answers others in between.
 */
const rowsAtOnce = 5_000;

interface Range {
  readonly table: 'call_summary' | 'call_hour';
  readonly from: bigint;
  /** The first start that is not in the range. */
  readonly end: bigint;
}

async function* inParts({ db }: Session, { table, from, end }: Range): AsyncGenerator<Range> {
  for (let start = from; start < end; ) {
    if (start > from) await nextIteration();
    const last = await db
      .selectFrom(table)
      .select('start_at')
      .where('start_at', '>=', start)
      .where('start_at', '<', end)
      .orderBy('start_at')
      .offset(rowsAtOnce - 1)
      .limit(1)
      .executeTakeFirst();
    const endOfPart = last === undefined ? end : last.start_at + 1n;
    yield { table, from: start, end: endOfPart };
    start = endOfPart;
  }
}

/**
 * Reads whole hours as hours, and the minutes before the first of them: sixty times fewer rows for long times.
 *
 * @param byMinute whether to read minutes alone
 */
export async function readTotals(
  session: Session,
  selection: CallSelection,
  byMinute: boolean,
): Promise<CallTotalsSince[]> {
  const { sinceMs } = selection;
  const firstHour = byMinute ? noStart : BigInt(Math.ceil(sinceMs / hourMs) * hourMs);
  const ranges: readonly Range[] = [
    { table: 'call_summary', from: BigInt(sinceMs), end: firstHour },
    { table: 'call_hour', from: firstHour, end: noStart },
  ];
  const totals = new Map<string, CallTotalsSince>();
  for (const range of ranges) {
    for await (const part of inParts(session, range)) {
      for (const more of await readPart(session, part, selection)) {
        const key = JSON.stringify([more.appId, more.operation, more.code]);
        const known = totals.get(key);
        totals.set(key, known === undefined ? more : addLater(known, more));
      }
    }
  }
  return [...totals.values()].sort(mostCallsFirst);
}

async function readPart(
  { db, engine }: Session,
  { table, from, end }: Range,
  { failedOnly = false, appIds, operation, code }: CallSelection,
): Promise<CallTotalsSince[]> {
  const rows = await db
    .selectFrom(`${table} as counted`)
    .select(['app_id', 'operation', 'code'])
    .select(countColumns.map((name) => sumOf(name).as(name)))
    .select(sql<bigint>`min(counted.start_at)`.as('first_at'))
    .select(sql<bigint>`max(counted.start_at)`.as('last_at'))
    .where('start_at', '>=', from)
    .where('start_at', '<', end)
    .$if(failedOnly, (query) => query.where('code', '!=', 0n))
    .$if(appIds !== undefined, (query) =>
      query.where(engine.isListed('counted.app_id', engine.encodeTexts(appIds ?? []))),
    )
    .$if(operation !== undefined, (query) => query.where('operation', '=', operation ?? ''))
    .$if(code !== undefined, (query) => query.where('code', '=', BigInt(code ?? 0)))
    .groupBy(['app_id', 'operation', 'code'])
    .execute();
  return rows.map((row) => ({
    appId: row.app_id,
    operation: row.operation,
    code: Number(row.code),
    calls: Number(row.calls),
    totalUs: Number(row.total_us),
    histogram: histogramOf(row),
    firstMs: Number(row.first_at),
    lastMs: Number(row.last_at),
  }));
}

/** Adds totals that are all from later minutes or hours. */
function addLater(known: CallTotalsSince, later: CallTotalsSince): CallTotalsSince {
  return { ...add(known, later), firstMs: known.firstMs, lastMs: later.lastMs };
}

function mostCallsFirst(a: CallTotalsSince, b: CallTotalsSince): number {
  return (
    b.calls - a.calls ||
    byCodeUnits(a.appId, b.appId) ||
    byCodeUnits(a.operation, b.operation) ||
    a.code - b.code
  );
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Reads the calls of each minute or hour, added up over the applications. */
export async function readHistory(
  session: Session,
  { sinceMs, per, appIds }: CallHistorySelection,
): Promise<CallHistoryRow[]> {
  const { db, engine } = session;
  const table = per === 'minute' ? 'call_summary' : 'call_hour';
  const columns = ['calls', ...histogramColumns] as const;
  const history: CallHistoryRow[] = [];
  for await (const { from, end } of inParts(session, { table, from: BigInt(sinceMs), end: noStart })) {
    const rows = await db
      .selectFrom(`${table} as counted`)
      .select(['start_at', 'operation', 'code'])
      .select(columns.map((name) => sumOf(name).as(name)))
      .where('start_at', '>=', from)
      .where('start_at', '<', end)
      .where(engine.isListed('counted.app_id', engine.encodeTexts(appIds)))
      .groupBy(['start_at', 'operation', 'code'])
      .orderBy('start_at')
      .orderBy('operation')
      .orderBy('code')
      .execute();
    for (const row of rows) {
      history.push({
        startMs: Number(row.start_at),
        operation: row.operation,
        code: Number(row.code),
        calls: Number(row.calls),
        histogram: histogramOf(row),
      });
    }
  }
  return history;
}

function sumOf(column: (typeof countColumns)[number]) {
  return sql<bigint>`cast(sum(${sql.ref(`counted.${column}`)}) as bigint)`;
}

function histogramOf(row: Record<(typeof histogramColumns)[number], bigint>): number[] {
  return histogramColumns.map((name) => Number(row[name]));
}
