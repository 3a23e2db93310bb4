import { setImmediate as nextIteration } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  type CallHistoryRow,
  type CallHistorySelection,
  type CallRecords,
  type CallRetention,
  type CallSelection,
  type CallSummary,
  type CallTotalsSince,
  type FailedCallRecord,
  type FailurePage,
  type LatestFailure,
  minuteOf,
  type PurgeTimes,
} from '../../call-records.ts';
import type { Session } from '../session.ts';
import type { BackgroundWriter } from './background-writer.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';
import { addCounts, readHistory, readTotals, sumByHour, toCountRows } from './call-counts.ts';
import { failureColumns, fromFailureRow, toFailureRow } from './failure-rows.ts';
import { purgeCalls } from './purge-calls.ts';
import { readFailuresBack, readLatestFailures } from './read-failures.ts';

/** Bounds the parameters of a statement, and how long it blocks the event loop on the embedded engine. */
const rowsOfStatement = 100;

/** Bounds the memory of failures that cannot be written, at up to 6 KB each. */
const waitingFailuresMax = 2_000;

export class KyselyCallRecords implements CallRecords {
  readonly #tables: BookkeepingTables;
  readonly #writer: BackgroundWriter;
  readonly #timeMs: () => Promise<number>;
  #batch: FailureBatch | undefined;
  #waitingFailures = 0;

  /** @param timeMs reads the database's clock, in Unix milliseconds */
  constructor(tables: BookkeepingTables, writer: BackgroundWriter, timeMs: () => Promise<number>) {
    this.#tables = tables;
    this.#writer = writer;
    this.#timeMs = timeMs;
  }

  addSummaries(summaries: readonly CallSummary[]): void {
    if (summaries.length === 0) return;
    const minutes = toCountRows(summaries);
    const hours = toCountRows(sumByHour(summaries));
    this.#writer.add(async (session) => {
      await inSteps(minutes, (step) => addCounts(session, 'call_summary', step));
      await inSteps(hours, (step) => addCounts(session, 'call_hour', step));
    });
  }

  addFailures(failures: readonly FailedCallRecord[], unkept?: { minuteMs: number; calls: number }): void {
    const batch = this.#batch ?? this.#openBatch();
    const kept = failures.slice(0, Math.max(0, waitingFailuresMax - this.#waitingFailures));
    this.#waitingFailures += kept.length;
    batch.rows.push(...kept.map(toFailureRow));
    for (const { atMs } of failures.slice(kept.length)) batch.addUnkept(minuteOf(atMs), 1);
    if (unkept !== undefined) batch.addUnkept(unkept.minuteMs, unkept.calls);
  }

  /** Collects the failures up to the next transaction, whose number the caller bounds. */
  #openBatch(): FailureBatch {
    const batch = new FailureBatch();
    this.#batch = batch;
    const write = (session: Session) => {
      if (this.#batch === batch) this.#batch = undefined;
      return insertFailures(session, batch);
    };
    this.#writer.add(write, () => {
      if (this.#batch === batch) this.#batch = undefined;
      this.#waitingFailures -= batch.rows.length;
    });
    return batch;
  }

  totals(selection: CallSelection, byMinute = false): Promise<CallTotalsSince[]> {
    return this.#tables.read((session) => readTotals(session, selection, byMinute));
  }

  history(selection: CallHistorySelection): Promise<CallHistoryRow[]> {
    return this.#tables.read((session) => readHistory(session, selection));
  }

  latestFailures(selection: { sinceMs: number; appIds: readonly string[] }): Promise<LatestFailure[]> {
    return this.#tables.read((session) => readLatestFailures(session, selection));
  }

  listFailuresBack(page: FailurePage): Promise<FailedCallRecord[]> {
    return this.#tables.read((session) => readFailuresBack(session, page));
  }

  findFailure(requestId: string): Promise<FailedCallRecord | undefined> {
    return this.#tables.read(async ({ db }) => {
      const row = await db
        .selectFrom('failed_call')
        .select(failureColumns)
        .where('request_id', '=', requestId)
        .executeTakeFirst();
      return row && fromFailureRow(row);
    });
  }

  listFailures(after: { atMs: number; requestId: string }, limit: number): Promise<FailedCallRecord[]> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('failed_call')
        .select(failureColumns)
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

  async purge(clock: PurgeTimes, retention: CallRetention): Promise<void> {
    // Taken before the transaction, which must not wait for a second connection.
    const latestMs = Math.max(clock.latestMs, await this.#timeMs());
    this.#writer.add((session) => purgeCalls(session, { ...clock, latestMs }, retention));
  }
}

class FailureBatch {
  readonly rows: ReturnType<typeof toFailureRow>[] = [];
  /** Failures that were only counted, by minute. */
  readonly unkept = new Map<number, number>();

  addUnkept(minuteMs: number, calls: number): void {
    this.unkept.set(minuteMs, (this.unkept.get(minuteMs) ?? 0) + calls);
  }
}

async function insertFailures(session: Session, { rows, unkept }: FailureBatch): Promise<void> {
  await inSteps(rows, async (step) => {
    await session.db
      .insertInto('failed_call')
      .values([...step])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  for (const [minuteMs, calls] of unkept) {
    if (calls > 0) await addUnkept(session, { minuteMs, calls });
  }
}

async function inSteps<Row>(
  rows: readonly Row[],
  insert: (step: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsOfStatement) {
    if (start > 0) await nextIteration();
    await insert(rows.slice(start, start + rowsOfStatement));
  }
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
