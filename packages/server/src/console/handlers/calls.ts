import type { ConsoleOperations, HistoryRange } from '@fieldroster/contract/console';
import {
  type CallHistoryRow,
  type CallTotals,
  type CallTotalsSince,
  type LatestFailure,
  latencyBoundMs,
  latencyBoundsMs,
  minuteOf,
} from '../../database/database.ts';
import type { ConsoleHandler } from '../console-context.ts';
import { requireApplication } from '../require-application.ts';
import { visibleCallers } from '../visible-callers.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const rangeMs: Readonly<Record<HistoryRange, number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs };

type Counted = Pick<CallTotals, 'calls' | 'histogram'>;

const nothing: Counted = { calls: 0, histogram: Array.from({ length: latencyBoundsMs.length + 1 }, () => 0) };

export const queryCallHistory: ConsoleHandler<ConsoleOperations['queryCallHistory']> = async (
  { range },
  context,
) => {
  const { database, now } = context.parts;
  const { summaryAppIds } = await visibleCallers(context);
  const per = range === 'hour' ? 'minute' : 'hour';
  const steps = stepsOf(range, now());
  const sinceMs = steps.firstMs - rangeMs[range];
  const all = await database.bookkeeping.calls.history({ sinceMs, per, appIds: summaryAppIds });
  // A node whose clock is ahead records calls beyond the last step.
  const rows = all.filter(({ startMs }) => startMs >= steps.firstMs && startMs < steps.endMs);
  return {
    ...latenciesOf(addUp(rows)),
    step_seconds: steps.stepMs / 1000,
    points: pointsOf(rows, steps),
    operations: mostFirst(
      Map.groupBy(rows, ({ operation }) => operation),
      (operation, counted) => ({
        operation,
        ...callsAndFailures(counted),
        ...latenciesOf(addUp(counted)),
        by_point: callsByStep(counted, steps),
      }),
    ),
    codes: mostFirst(
      Map.groupBy(rows, ({ code }) => code),
      (code, counted) => ({ code, calls: addUp(counted).calls, by_point: callsByStep(counted, steps) }),
    ),
    before: callsAndFailures(all.filter(({ startMs }) => startMs < steps.firstMs)),
  };
};

/** The steps of equal length into which a history is divided. */
interface Steps {
  readonly firstMs: number;
  readonly stepMs: number;
  readonly count: number;
  /** When the last step ends. */
  readonly endMs: number;
}

function stepsOf(range: HistoryRange, nowMs: number): Steps {
  const stepMs = range === 'hour' ? minuteMs : hourMs;
  const count = rangeMs[range] / stepMs;
  const endMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  return { firstMs: endMs - rangeMs[range], stepMs, count, endMs };
}

function stepAt({ startMs }: CallHistoryRow, { firstMs, stepMs }: Steps): number {
  return (startMs - firstMs) / stepMs;
}

function pointsOf(rows: readonly CallHistoryRow[], steps: Steps) {
  const byStep = Map.groupBy(rows, (row) => stepAt(row, steps));
  return Array.from({ length: steps.count }, (_, step) => {
    const total = addUp(byStep.get(step) ?? []);
    return { at: BigInt(steps.firstMs + step * steps.stepMs), calls: total.calls, ...latenciesOf(total) };
  });
}

function callsByStep(rows: readonly CallHistoryRow[], steps: Steps): number[] {
  const calls = Array.from({ length: steps.count }, () => 0);
  for (const row of rows) {
    const step = stepAt(row, steps);
    calls[step] = (calls[step] ?? 0) + row.calls;
  }
  return calls;
}

function mostFirst<Key, Row, Entry extends { readonly calls: number }>(
  groups: ReadonlyMap<Key, Row[]>,
  toEntry: (key: Key, rows: readonly Row[]) => Entry,
): Entry[] {
  return [...groups].map(([key, rows]) => toEntry(key, rows)).sort((a, b) => b.calls - a.calls);
}

function addUp(rows: readonly Counted[]): Counted {
  return rows.reduce(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      histogram: sum.histogram.map((count, step) => count + (row.histogram[step] ?? 0)),
    }),
    nothing,
  );
}

function callsAndFailures(rows: readonly (Counted & { readonly code: number })[]) {
  return { calls: addUp(rows).calls, failed: addUp(rows.filter(({ code }) => code !== 0)).calls };
}

function latenciesOf(counted: Counted): { p50_ms?: number; p99_ms?: number } {
  if (counted.calls === 0) return {};
  const [p50, p99] = [latencyBoundMs(counted, 0.5), latencyBoundMs(counted, 0.99)];
  return { ...(p50 !== undefined && { p50_ms: p50 }), ...(p99 !== undefined && { p99_ms: p99 }) };
}

export const queryHealth: ConsoleHandler<ConsoleOperations['queryHealth']> = async (_input, context) => {
  const { parts, tenantId } = context;
  const { calls } = parts.database.bookkeeping;
  const { applications, summaryAppIds } = await visibleCallers(context);
  const sinceMs = Math.floor((parts.now() - dayMs) / minuteMs) * minuteMs;
  const selection = { sinceMs, appIds: summaryAppIds };
  const [totals, latest, counts, weekBefore] = await Promise.all([
    calls.totals(selection),
    calls.latestFailures(selection),
    parts.counts.read(tenantId),
    parts.dailyCounts.weekBefore(tenantId),
  ]);
  const byId = new Map(applications.map((application) => [application.appId, application]));
  const counted = [...totals, ...notYetCounted(latest, totals)];
  const lastOf = new Map(latest.map((failure) => [`${failure.appId} ${failure.code}`, failure]));
  const failing = mostFirst(
    Map.groupBy(
      counted.filter(({ code }) => code !== 0),
      ({ appId, code }) => `${appId} ${code}`,
    ),
    (key, rows) => {
      const { appId = '', code = 0 } = rows[0] ?? {};
      const last = lastOf.get(key);
      const application = byId.get(appId);
      return {
        app_id: application?.appId ?? '',
        name: application?.name ?? '',
        revoked: application?.status === 'revoked',
        code,
        ...onlyOperation(rows),
        calls: addUp(rows).calls,
        all_calls: addUp(totals.filter((row) => row.appId === appId)).calls,
        first_at: BigInt(Math.min(...rows.map(({ firstMs }) => firstMs))),
        ...(last !== undefined && { last: { at: BigInt(last.atMs), request_id: last.requestId } }),
      };
    },
  );
  return {
    ...(counts !== undefined && { counts: withTime(counts) }),
    applications: applications.filter(({ status }) => status !== 'revoked').length,
    ...(weekBefore !== undefined && { week_before: withTime(weekBefore) }),
    failing,
  };
};

/**
 * Returns failures that are on record before the minute's summary, which counts them. The overview would otherwise say
 * that all is well while the list of requests shows them.
 */
function notYetCounted(latest: readonly LatestFailure[], totals: readonly CallTotalsSince[]) {
  const keys = new Set(totals.map(({ appId, code }) => `${appId} ${code}`));
  return latest
    .filter(({ appId, code }) => !keys.has(`${appId} ${code}`))
    .map(({ appId, code, atMs }) => ({
      ...nothing,
      appId,
      code,
      operation: undefined,
      firstMs: minuteOf(atMs),
    }));
}

function onlyOperation(rows: readonly { readonly operation: string | undefined }[]): { operation?: string } {
  const [operation, ...others] = new Set(rows.map((row) => row.operation));
  return operation === undefined || others.length > 0 ? {} : { operation };
}

function withTime<Counts extends { readonly atMs: number }>({ atMs, ...counts }: Counts) {
  return { ...counts, at: BigInt(atMs) };
}

export const queryApplicationCalls: ConsoleHandler<ConsoleOperations['queryApplicationCalls']> = async (
  { app_id, range },
  context,
) => {
  await requireApplication(app_id, context);
  const { database, now } = context.parts;
  const sinceMs = Math.floor((now() - rangeMs[range]) / minuteMs) * minuteMs;
  const totals = await database.bookkeeping.calls.totals({ sinceMs, appIds: [app_id] });
  return {
    totals: totals.map((row) => ({
      operation: row.operation,
      code: row.code,
      calls: row.calls,
      ...latenciesOf(row),
    })),
  };
};
