import type { Operation } from '@fieldroster/contract';
import {
  appIdCharactersMax,
  type CallRecords,
  type CallRetention,
  type FailedCallRecord,
  minuteOf,
} from '../database/database.ts';
import { PeriodicTask } from '../upkeep/periodic-task.ts';
import type { SteadyClock } from '../upkeep/steady-clock.ts';
import { CallSummaries } from './call-summaries.ts';
import type { MismatchDescription } from './describe-mismatch.ts';
import { FailureLimits } from './failure-limits.ts';
import { recordableTarget, recordableText } from './withhold-values.ts';

/** A call that was answered with a code other than 0. */
export interface FailedCallReport {
  readonly requestId: string;
  /** Undefined for a request that matched none. */
  readonly operation: Operation | undefined;
  /** The APPID in the request; only its start when no application has it. */
  readonly appId: string | undefined;
  /** Whether the request proved its APPID or only named one; undefined when no application has it. */
  readonly application: 'verified' | 'named' | undefined;
  readonly code: number;
  readonly message: string;
  /** The cause, which the message leaves out. */
  readonly cause: string | undefined;
  readonly durationMs: number;
  readonly address: string | undefined;
  /** The network that counts as one sender. */
  readonly network: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly describeMismatch: (() => MismatchDescription) | undefined;
}

const flushIntervalMs = 60_000;

/** Each purge deletes a bounded number of summaries, more than are added meanwhile. */
const purgeIntervalMs = 60_000;

/** How long failed calls are kept, in days. */
export const failuresKeptDays = 7;

export const failuresKeptMs = failuresKeptDays * 86_400_000;

/**
 * At most this many failures of verified callers are kept, and as many of all others. A row takes up to 6 KB, usually
 * 300 bytes.
 */
const failuresMax = 20_000;

export interface CallRecorderParts {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Decides what is old: deleted records do not come back when a clock is set back. */
  readonly clock: Pick<SteadyClock, 'follow' | 'latestMs'>;
  /** Receives the first of several purges in a row that fail. */
  readonly warn: (error: unknown) => void;
}

/**
 * Records every call: summaries once a minute, failed calls as they happen. All writing happens in the background, and
 * a call costs a few additions in memory. A process that is killed loses at most the last minute of summaries.
 */
export class CallRecorder {
  readonly #records: CallRecords;
  readonly #retention: CallRetention;
  readonly #now: () => number;
  readonly #clock: Pick<SteadyClock, 'follow' | 'latestMs'>;
  readonly #isOn: boolean;
  readonly #summaries = new CallSummaries();
  readonly #limits = new FailureLimits();
  readonly #unkept = new Map<number, number>();
  readonly #flush = new PeriodicTask(async () => this.flush(), {
    intervalMs: flushIntervalMs,
    onError: () => {},
  });
  /** After a failed purge, the next one deletes everything that is due. */
  readonly #purge = new PeriodicTask(() => this.purge(), {
    intervalMs: purgeIntervalMs,
    onError: (error) => this.#notePurgeFailure(error),
  });
  readonly #warn: CallRecorderParts['warn'];
  #purgeFailed = false;

  /**
   * @param keepDays how long summaries are kept; 0 records nothing
   */
  constructor(records: CallRecords, keepDays: number, { now, clock, warn }: CallRecorderParts) {
    this.#records = records;
    this.#isOn = keepDays > 0;
    this.#retention = {
      summariesMs: keepDays * 86_400_000,
      failuresMs: failuresKeptMs,
      failuresMax,
    };
    this.#now = now;
    this.#clock = clock;
    this.#warn = warn;
  }

  start(): void {
    this.#flush.start();
    this.#purge.start();
    void this.#purge.run();
  }

  /** Hands over what was counted; the database writes it before it closes. Resolves once no purge is under way. */
  async stop(): Promise<void> {
    this.flush();
    await Promise.all([this.#flush.stop(), this.#purge.stop()]);
  }

  recordSuccess({ name }: Operation, appId: string, durationMs: number): void {
    if (this.#isOn) this.#summaries.count({ operation: name, appId, code: 0, durationMs }, this.#now());
  }

  recordFailure(report: FailedCallReport): void {
    if (!this.#isOn) return;
    const nowMs = this.#now();
    const { operation, code, durationMs, application, appId } = report;
    const known = application === undefined ? undefined : appId;
    this.#summaries.count({ operation: operation?.name, appId: known, code, durationMs }, nowMs);
    const verified = application === 'verified';
    if (this.#limits.admit({ ...report, operation: operation?.name, verified }, nowMs)) {
      this.#records.addFailures([toRecord(report, nowMs)]);
    } else {
      const minuteMs = minuteOf(nowMs);
      this.#unkept.set(minuteMs, (this.#unkept.get(minuteMs) ?? 0) + 1);
    }
  }

  /** Hands what was counted to the background writer. */
  flush(): void {
    this.#records.addSummaries(this.#summaries.take());
    for (const [minuteMs, calls] of this.#unkept) this.#records.addFailures([], { minuteMs, calls });
    this.#unkept.clear();
  }

  /** Deletes records past their retention, and those that a wrong clock dated far ahead. */
  async purge(): Promise<void> {
    const nowMs = await this.#clock.follow(this.#now());
    await this.#records.purge({ nowMs, latestMs: this.#clock.latestMs() }, this.#retention);
    this.#purgeFailed = false;
  }

  #notePurgeFailure(error: unknown): void {
    if (!this.#purgeFailed) this.#warn(error);
    this.#purgeFailed = true;
  }
}

function toRecord(report: FailedCallReport, nowMs: number): FailedCallRecord {
  const { operation, appId, address } = report;
  const mismatch = report.describeMismatch?.();
  const cause = mismatch === undefined ? report.cause : mismatch.cause;
  return {
    requestId: report.requestId,
    atMs: nowMs,
    verified: report.application === 'verified',
    code: report.code,
    message: recordableText(mismatch?.message ?? report.message),
    durationUs: report.durationMs * 1000,
    method: report.method,
    target: recordableTarget(report.target, operation),
    ...(appId !== undefined && { appId: appId.slice(0, appIdCharactersMax) }),
    ...(operation !== undefined && { operation: operation.name }),
    ...(address !== undefined && { address }),
    ...(cause !== undefined && { cause: recordableText(cause) }),
    ...(mismatch !== undefined && { stringsToSign: mismatch.stringsToSign }),
  };
}
