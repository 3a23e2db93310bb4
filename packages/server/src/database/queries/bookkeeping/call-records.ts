import { sql } from 'kysely';
import type {
  CallRecords,
  CallRetention,
  CallSelection,
  CallSummary,
  CallTotals,
  FailedCallRecord,
} from '../../call-records.ts';
import type { Session } from '../session.ts';
import type { BackgroundWriter } from './background-writer.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';
import { fromFailureRow, toFailureRow } from './failure-rows.ts';
import { histogramColumns } from './histogram-columns.ts';

/** Bounds the parameters of a statement, and how long it blocks the event loop on the embedded engine. */
const rowsOfStatement = 100;

const dayMs = 86_400_000;

export class KyselyCallRecords implements CallRecords {
  readonly #tables: BookkeepingTables;
  readonly #writer: BackgroundWriter;

  constructor(tables: BookkeepingTables, writer: BackgroundWriter) {
    this.#tables = tables;
    this.#writer = writer;
  }

  addSummaries(summaries: readonly CallSummary[]): void {
    if (summaries.length === 0) return;
    // All transactions use one order, so that two cannot deadlock.
    const rows = summaries.map(toSummaryRow).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    this.#writer.add((session) => inSteps(rows, (step) => insertSummaries(session, step)));
  }

  addFailures(failures: readonly FailedCallRecord[], unkept?: { minuteMs: number; calls: number }): void {
    const rows = failures.map(toFailureRow);
    this.#writer.add(async (session) => {
      await inSteps(rows, async (step) => {
        await session.db
          .insertInto('failed_call')
          .values([...step])
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
      if (unkept !== undefined && unkept.calls > 0) await addUnkept(session, unkept);
    });
  }

  totals({ sinceMs, failedOnly = false }: CallSelection): Promise<CallTotals[]> {
    return this.#tables.read(async ({ db }) => {
      const total = (column: string) => sql<bigint>`cast(sum(${sql.ref(column)}) as bigint)`;
      const rows = await db
        .selectFrom('call_summary')
        .select(['app_id', 'operation', 'code', total('calls').as('calls'), total('total_us').as('total_us')])
        .select(histogramColumns.map((name) => total(name).as(name)))
        .where('minute_at', '>=', BigInt(sinceMs))
        .$if(failedOnly, (query) => query.where('code', '!=', 0n))
        .groupBy(['app_id', 'operation', 'code'])
        .orderBy(total('calls'), 'desc')
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
        histogram: histogramColumns.map((name) => Number(row[name])),
      }));
    });
  }

  findFailure(requestId: string): Promise<FailedCallRecord | undefined> {
    return this.#tables.read(async ({ db }) => {
      const row = await db
        .selectFrom('failed_call')
        .selectAll()
        .where('request_id', '=', requestId)
        .executeTakeFirst();
      return row && fromFailureRow(row);
    });
  }

  listFailures(after: { atMs: number; requestId: string }, limit: number): Promise<FailedCallRecord[]> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('failed_call')
        .selectAll()
        .where(sql<boolean>`(at, request_id) > (${BigInt(after.atMs)}, ${after.requestId})`)
        .orderBy('at')
        .orderBy('request_id')
        .limit(limit)
        .execute();
      return rows.map(fromFailureRow);
    });
  }

  countUnkept(sinceMs: number): Promise<number> {
    return this.#tables.read(async ({ db }) => {
      const row = await db
        .selectFrom('unkept_failure')
        .select(sql<bigint>`cast(coalesce(sum(calls), 0) as bigint)`.as('calls'))
        .where('minute_at', '>=', BigInt(sinceMs))
        .executeTakeFirstOrThrow();
      return Number(row.calls);
    });
  }

  purge(nowMs: number, { summariesMs, failuresMs, failuresMax }: CallRetention): Promise<void> {
    return this.#tables.write(async (session) => {
      await purgeSummaries(session, nowMs - summariesMs);
      const before = BigInt(nowMs - failuresMs);
      await session.db.deleteFrom('failed_call').where('at', '<', before).execute();
      await session.db.deleteFrom('unkept_failure').where('minute_at', '<', before).execute();
      for (const verified of [0n, 1n]) await trimFailures(session, verified, failuresMax);
    }, 'background');
  }
}

async function inSteps<Row>(
  rows: readonly Row[],
  insert: (step: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsOfStatement) {
    if (start > 0) await new Promise((resume) => setImmediate(resume));
    await insert(rows.slice(start, start + rowsOfStatement));
  }
}

type SummaryRow = ReturnType<typeof toSummaryRow>;

function toSummaryRow({ minuteMs, appId, operation, code, calls, totalUs, histogram }: CallSummary) {
  const steps = Object.fromEntries(
    histogramColumns.map((name, index) => [name, BigInt(histogram[index] ?? 0)]),
  );
  return {
    minute_at: BigInt(minuteMs),
    app_id: appId,
    operation,
    code: BigInt(code),
    calls: BigInt(calls),
    total_us: BigInt(Math.round(totalUs)),
    ...(steps as Record<(typeof histogramColumns)[number], bigint>),
  };
}

function keyOf({ minute_at, app_id, operation, code }: SummaryRow): string {
  return `${minute_at} ${app_id}\n${operation} ${code}`;
}

/** Adds to the rows of other processes, which count the same minute. */
async function insertSummaries({ db }: Session, rows: readonly SummaryRow[]): Promise<void> {
  const counts = ['calls', 'total_us', ...histogramColumns] as const;
  const sums = Object.fromEntries(
    counts.map((name) => [
      name,
      sql<bigint>`${sql.ref(`call_summary.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ]),
  );
  await db
    .insertInto('call_summary')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['minute_at', 'app_id', 'operation', 'code']).doUpdateSet(sums),
    )
    .execute();
}

async function addUnkept(
  { db }: Session,
  { minuteMs, calls }: { minuteMs: number; calls: number },
): Promise<void> {
  await db
    .insertInto('unkept_failure')
    .values({ minute_at: BigInt(minuteMs), calls: BigInt(calls) })
    .onConflict((conflict) =>
      conflict.column('minute_at').doUpdateSet({
        calls: sql<bigint>`unkept_failure.calls + excluded.calls`,
      }),
    )
    .execute();
}

/** Deletes the oldest day at most, so that a long pause does not end with one long transaction. */
async function purgeSummaries({ db }: Session, beforeMs: number): Promise<void> {
  const oldest = await db
    .selectFrom('call_summary')
    .select('minute_at')
    .orderBy('minute_at')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined || Number(oldest.minute_at) >= beforeMs) return;
  const end = BigInt(Math.min(beforeMs, Number(oldest.minute_at) + dayMs));
  await db.deleteFrom('call_summary').where('minute_at', '<', end).execute();
}

async function trimFailures({ db }: Session, verified: bigint, failuresMax: number): Promise<void> {
  const newestToGo = await db
    .selectFrom('failed_call')
    .select('at')
    .where('verified', '=', verified)
    .orderBy('at', 'desc')
    .offset(failuresMax)
    .limit(1)
    .executeTakeFirst();
  if (newestToGo === undefined) return;
  await db
    .deleteFrom('failed_call')
    .where('verified', '=', verified)
    .where('at', '<=', newestToGo.at)
    .execute();
}
