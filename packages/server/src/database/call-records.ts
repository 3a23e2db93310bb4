/** Upper bounds of the latency histogram's steps, in milliseconds; one more step counts slower calls. */
export const latencyBoundsMs = [1, 5, 25, 100, 250, 1000, 5000] as const;

/** Records dated further ahead are deleted: they would not become old for years. In milliseconds. */
export const callsKeptAheadMs = 7 * 86_400_000;

/** APPID of the one summary row for all callers whose APPID no application has. */
export const unknownApplication = '';

/** APPID and operation of calls beyond the number of rows that a minute may have. */
export const otherCalls = '*';

/** Returns the start of the minute that a time is in; both in Unix milliseconds. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / 60_000) * 60_000;
}

/** The calls of one application to one operation with one outcome. */
export interface CallTotals {
  /** Empty for unknown applications, `*` for those beyond the limit of a minute. */
  readonly appId: string;
  /** Empty for requests that matched no operation. */
  readonly operation: string;
  readonly code: number;
  readonly calls: number;
  readonly totalUs: number;
  /** How many calls fell into each step of `latencyBoundsMs`, and how many were slower. */
  readonly histogram: readonly number[];
}

/** Totals since a moment. */
export interface CallTotalsSince extends CallTotals {
  /** Start of the first minute or hour with such a call, in Unix milliseconds. */
  readonly firstMs: number;
  /** Start of the last one. */
  readonly lastMs: number;
}

/** Totals within one minute. */
export interface CallSummary extends CallTotals {
  /** Start of the minute, in Unix milliseconds. */
  readonly minuteMs: number;
}

/** A call that was answered with a code other than 0. Holds no body, signature or secret. */
export interface FailedCallRecord {
  readonly requestId: string;
  readonly atMs: number;
  /** Whether the caller's signature was valid; otherwise `appId` is only what the request claimed. */
  readonly verified: boolean;
  readonly appId?: string;
  readonly operation?: string;
  readonly code: number;
  readonly message: string;
  readonly durationUs: number;
  readonly address?: string;
  readonly method: string;
  /** Path and query; values that may be secret are replaced with `…`. */
  readonly target: string;
  /** For 1014: the likely cause, if one was found. */
  readonly cause?: string;
  /** For 1014: the server's strings to sign, one for each reading of the query. */
  readonly stringsToSign?: readonly string[];
}

/** Selects calls by time, as Unix milliseconds, by outcome, by application and by operation. */
export interface CallSelection {
  readonly sinceMs: number;
  readonly failedOnly?: boolean;
  readonly operation?: string;
  readonly code?: number;
  /** Only calls of these applications; of all applications when left out. */
  readonly appIds?: readonly string[];
}

/** The calls of one minute or hour to one operation with one outcome. */
export interface CallHistoryRow extends Omit<CallTotals, 'appId' | 'totalUs'> {
  /** Start of the minute or hour, in Unix milliseconds. */
  readonly startMs: number;
}

/** Selects the rows of a history. */
export interface CallHistorySelection {
  readonly sinceMs: number;
  readonly per: 'minute' | 'hour';
  readonly appIds: readonly string[];
}

/** The latest failed call of an application with one code. */
export type LatestFailure = Required<Pick<FailedCallRecord, 'requestId' | 'atMs' | 'appId' | 'code'>>;

/** Callers whose failed calls are listed. */
export interface FailureCallers {
  readonly appIds: readonly string[];
  /** The APPIDs of all applications. If given, calls that name none of them are listed too. */
  readonly knownAppIds?: readonly string[];
}

/** Filters for failed calls; all given filters must match. */
export interface FailureFilters extends FailureCallers {
  readonly operation?: string;
  readonly code?: number;
  readonly requestId?: string;
  /** Earlier calls are left out; in Unix milliseconds. */
  readonly sinceMs?: bigint;
  /** This call and later ones are left out. */
  readonly untilMs?: bigint;
}

/** A page of failed calls, newest first. */
export interface FailurePage {
  readonly filters: FailureFilters;
  /** The last call of the previous page. */
  readonly before?: { readonly atMs: number; readonly requestId: string };
  readonly limit: number;
}

/** How long records are kept, in milliseconds. */
export interface CallRetention {
  readonly summariesMs: number;
  readonly failuresMs: number;
  /**
   * The most failures kept of verified callers, and again of all others. Failures dated more than an hour ahead have
   * two such limits of their own, so that those of a wrong clock displace no others.
   */
  readonly failuresMax: number;
}

/** The times that decide a purge, in Unix milliseconds. A leap of the clock must delete no record of the right time. */
export interface PurgeTimes {
  /** Decides what is old; may be earlier than the clock shows. */
  readonly nowMs: number;
  /** Decides what is dated far ahead; may be later than the clock shows. With Infinity, nothing is. */
  readonly latestMs: number;
}

/** Summaries of calls, and the failed calls. New records are written in the background, in the order added. */
export interface CallRecords {
  addSummaries(summaries: readonly CallSummary[]): void;
  /** @param unkept failures of the minute that were only counted, because of the limits */
  addFailures(failures: readonly FailedCallRecord[], unkept?: { minuteMs: number; calls: number }): void;
  /**
   * Returns the totals by application, operation and code, most calls first.
   *
   * @param byMinute whether the first and last time are minutes; that reads sixty times as many rows for a long time
   */
  totals(selection: CallSelection, byMinute?: boolean): Promise<CallTotalsSince[]>;
  /** Returns the calls of each minute or hour by operation and code, oldest first. */
  history(selection: CallHistorySelection): Promise<CallHistoryRow[]>;
  /** Returns the latest failed call of each application and code. */
  latestFailures(selection: Required<Pick<CallSelection, 'sinceMs' | 'appIds'>>): Promise<LatestFailure[]>;
  findFailure(requestId: string): Promise<FailedCallRecord | undefined>;
  /** Returns failures that came after the given one, oldest first. */
  listFailures(after: { atMs: number; requestId: string }, limit: number): Promise<FailedCallRecord[]>;
  /** Returns failed calls newest first. */
  listFailuresBack(page: FailurePage): Promise<FailedCallRecord[]>;
  /** Returns how many failures were only counted. */
  countUnkept(sinceMs: number): Promise<number>;
  /**
   * Deletes in the background the records past their retention, and those dated more than a week later than both
   * `latestMs` and the database's clock: a process whose clock is behind must not delete what others record. Of
   * summaries, it deletes about 20,000 rows of each kind at a time, of failures about 5,000.
   */
  purge(times: PurgeTimes, retention: CallRetention): Promise<void>;
}

/**
 * Returns the bound below which a share of the calls stayed, in milliseconds, or `undefined` when they exceed the
 * largest bound.
 *
 * @param share from 0 to 1
 */
export function latencyBoundMs(
  { calls, histogram }: Pick<CallTotals, 'calls' | 'histogram'>,
  share: number,
): number | undefined {
  let sum = 0;
  const step = histogram.findIndex((count) => {
    sum += count;
    return sum >= calls * share;
  });
  return latencyBoundsMs[step];
}
