import {
  type CallSummary,
  latencyBoundsMs,
  minuteOf,
  otherCalls,
  unknownApplication,
} from '../database/database.ts';

/** The most rows that one process keeps for a minute, because an operator may issue any number of applications. */
const rowsMax = 5_000;

/** A call as the summaries count it. */
export interface CountedCall {
  /** Undefined for a request that matched none. */
  readonly operation: string | undefined;
  /**
   * Undefined when no application has the APPID. Such callers share a row, because they can send any number of APPIDs.
   */
  readonly appId: string | undefined;
  readonly code: number;
  readonly durationMs: number;
}

type RowKey = Pick<CallSummary, 'appId' | 'operation' | 'code'>;

interface Totals extends RowKey {
  calls: number;
  totalUs: number;
  readonly histogram: number[];
}

interface Minute {
  readonly minuteMs: number;
  readonly rows: Totals[];
  /** The same rows by APPID and operation, with one for each code: a call is counted without making a key for it. */
  readonly byCall: Map<string, Map<string, Totals[]>>;
}

/** Adds up calls by minute, application, operation and code, in memory. */
export class CallSummaries {
  #current = beginMinute(Number.NaN);
  #ended: Minute[] = [];

  count({ operation = '', appId = unknownApplication, code, durationMs }: CountedCall, nowMs: number): void {
    const totals = this.#totals({ operation, appId, code }, nowMs);
    totals.calls += 1;
    totals.totalUs += Math.round(durationMs * 1000);
    const step = stepOf(durationMs);
    totals.histogram[step] = (totals.histogram[step] ?? 0) + 1;
  }

  /** Returns what was counted since the last time. */
  take(): CallSummary[] {
    const minutes = [...this.#ended, this.#current];
    this.#ended = [];
    this.#current = beginMinute(Number.NaN);
    return minutes.flatMap(({ minuteMs, rows }) => rows.map((row) => ({ minuteMs, ...row })));
  }

  #totals({ operation, appId, code }: RowKey, nowMs: number): Totals {
    const { rows, byCall } = this.#minuteAt(nowMs);
    const sameCalls = byCall.get(appId)?.get(operation);
    const known = sameCalls?.find((row) => row.code === code);
    if (known !== undefined) return known;
    if (rows.length >= rowsMax && appId !== otherCalls) {
      return this.#totals({ operation: otherCalls, appId: otherCalls, code }, nowMs);
    }
    const histogram = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);
    const added = { appId, operation, code, calls: 0, totalUs: 0, histogram };
    rows.push(added);
    const ofApplication = byCall.get(appId) ?? new Map<string, Totals[]>();
    byCall.set(appId, ofApplication.set(operation, [...(sameCalls ?? []), added]));
    return added;
  }

  #minuteAt(nowMs: number): Minute {
    const minuteMs = minuteOf(nowMs);
    if (minuteMs !== this.#current.minuteMs) {
      if (this.#current.rows.length > 0) this.#ended.push(this.#current);
      this.#current = beginMinute(minuteMs);
    }
    return this.#current;
  }
}

function beginMinute(minuteMs: number): Minute {
  return { minuteMs, rows: [], byCall: new Map() };
}

function stepOf(durationMs: number): number {
  const step = latencyBoundsMs.findIndex((boundMs) => durationMs <= boundMs);
  return step === -1 ? latencyBoundsMs.length : step;
}
