import { sql } from 'kysely';
import type {
  CallHistoryRow,
  CallHistorySelection,
  CallSelection,
  CallSummary,
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

function add(one: CallSummary, other: CallSummary): CallSummary {
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

/** A start that no hour reaches. */
const noHour = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Reads whole hours as hours, and the minutes before the first of them: sixty times fewer rows for long times.
 *
 * @param byMinute whether to read minutes alone
 */
export async function readTotals(
  { db, engine }: Session,
  { sinceMs, failedOnly = false, appIds, operation, code }: CallSelection,
  byMinute: boolean,
): Promise<CallTotalsSince[]> {
  const firstHour = byMinute ? noHour : BigInt(Math.ceil(sinceMs / hourMs) * hourMs);
  const columns = ['start_at', 'app_id', 'operation', 'code', ...countColumns] as const;
  const counted = db
    .selectFrom('call_summary')
    .select(columns)
    .where('start_at', '>=', BigInt(sinceMs))
    .where('start_at', '<', firstHour)
    .unionAll(db.selectFrom('call_hour').select(columns).where('start_at', '>=', firstHour))
    .as('counted');
  const rows = await db
    .selectFrom(counted)
    .select(['app_id', 'operation', 'code'])
    .select(countColumns.map((name) => sumOf(name).as(name)))
    .select(sql<bigint>`min(counted.start_at)`.as('first_at'))
    .select(sql<bigint>`max(counted.start_at)`.as('last_at'))
    .$if(failedOnly, (query) => query.where('code', '!=', 0n))
    .$if(appIds !== undefined, (query) =>
      query.where(engine.isListed('counted.app_id', engine.encodeTexts(appIds ?? []))),
    )
    .$if(operation !== undefined, (query) => query.where('operation', '=', operation ?? ''))
    .$if(code !== undefined, (query) => query.where('code', '=', BigInt(code ?? 0)))
    .groupBy(['app_id', 'operation', 'code'])
    .orderBy(sumOf('calls'), 'desc')
    .orderBy('app_id')
    .orderBy('operation')
    .orderBy('code')
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

/** Reads the calls of each minute or hour, added up over the applications. */
export async function readHistory(
  { db, engine }: Session,
  { sinceMs, per, appIds }: CallHistorySelection,
): Promise<CallHistoryRow[]> {
  const columns = ['calls', ...histogramColumns] as const;
  const rows = await db
    .selectFrom(per === 'minute' ? 'call_summary as counted' : 'call_hour as counted')
    .select(['start_at', 'operation', 'code'])
    .select(columns.map((name) => sumOf(name).as(name)))
    .where('start_at', '>=', BigInt(sinceMs))
    .where(engine.isListed('counted.app_id', engine.encodeTexts(appIds)))
    .groupBy(['start_at', 'operation', 'code'])
    .orderBy('start_at')
    .orderBy('operation')
    .orderBy('code')
    .execute();
  return rows.map((row) => ({
    startMs: Number(row.start_at),
    operation: row.operation,
    code: Number(row.code),
    calls: Number(row.calls),
    histogram: histogramOf(row),
  }));
}

function sumOf(column: (typeof countColumns)[number]) {
  return sql<bigint>`cast(sum(${sql.ref(`counted.${column}`)}) as bigint)`;
}

function histogramOf(row: Record<(typeof histogramColumns)[number], bigint>): number[] {
  return histogramColumns.map((name) => Number(row[name]));
}
