import type { Operation, OperationKey } from '@fieldroster/contract';
import type { ReplayRule } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { FairQueue } from '../../fairness/fair-queue.ts';
import { WorkPace } from '../../fairness/work-pace.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import type { Deadline } from '../../time/deadline.ts';
import { threadMs } from '../../time/thread-ms.ts';
import { carryTrace, inSpan } from '../../tracing/trace.ts';
import type { Call } from '../call.ts';
import { perOperation } from '../per-operation.ts';

/** Lists of one application that may wait in a burst. */
const burstMax = 500;

/** Lists of one application that may wait however slowly they are answered. */
const standingLeast = 6;

/** Part of the queue that lists may take while more of them are refused than answered: each would only wait longer. */
const floodedPart = 1 / 3;

/** Pages of the audit in progress at once, each of 4 MiB of changes or of one row that may have 40 MB. */
const auditPagesAtOnce = 2;

/** Pages of the audit of one application that may wait while some have been waiting without a break. */
const auditPagesStandingMax = 64;

/** Part of the allowed wait that a list may spend here. It also waits for admission, and for the lists in progress. */
const shareOfWait = 1 / 4;

/**
 * How long a queue that was cut stays short. It empties within milliseconds, before refused clients come back;
 * without this time, it would grow like a burst again and again.
 */
const calmAfterMs = 1_000;

/** What a list is of: entries, or rows of the audit, a page of which takes many times the memory of its answer. */
export type ListKind = 'entries' | 'audit';

/** Returns what kind of list an operation reads, if it reads one that has pages. */
export function listKindOf({ query }: Pick<Operation, 'query'>): ListKind | undefined {
  return query !== undefined && 'cursor' in query.properties ? 'entries' : undefined;
}

/** What kind of list each signed operation reads. */
export const listKinds = {
  ...perOperation(listKindOf),
  listAuditEvents: 'audit',
} as const satisfies Record<OperationKey, ListKind | undefined>;

interface ListCall {
  /** Undefined for a call that reads no list. */
  readonly kind: ListKind | undefined;
  readonly call: Pick<Call, 'disconnectSignal'>;
  readonly deadline: Deadline;
}

export interface ListQueueOptions {
  /** How long requests may wait under overload, in milliseconds of processor time. */
  readonly overloadWaitMs: number;
  readonly replay: ReplayRule;
}

/**
 * Lets lists wait before anything is read for them, and applications take turns.
 * Rows of lists that all wait for the event loop would outlive a collection of young objects,
 * and the garbage collector would take a third of the processor.
 */
export class ListQueue {
  readonly #queue: FairQueue | undefined;
  /** For pages of the audit where other lists need no queue: a page takes many times the memory of its answer. */
  readonly #audit = new FairQueue({
    things: 'lists',
    slots: auditPagesAtOnce,
    burstMax,
    standingMax: auditPagesStandingMax,
  });
  /** Lists in a millisecond of work, measured while lists wait. */
  readonly #pace = new WorkPace();

  /** @param database bounds the lists in progress, unless its connections do so */
  constructor({ listsAtOnce }: Pick<Database, 'listsAtOnce'>, { overloadWaitMs, replay }: ListQueueOptions) {
    // When every nonce is claimed, a list waits for a commit, which should serve the claims of many.
    if (listsAtOnce === undefined || replay === 'nonce') return;
    const pace = this.#pace;
    const waitMaxMs = overloadWaitMs * shareOfWait;
    const standingMax = () => Math.max(standingLeast, Math.floor(pace.perMs * waitMaxMs));
    this.#queue = new FairQueue({
      things: 'lists',
      slots: listsAtOnce,
      burstMax,
      calmAfterMs,
      get standingMax() {
        return standingMax();
      },
      get floodedMax() {
        return Math.floor(standingMax() * floodedPart);
      },
    });
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_queued_lists',
        help: 'Lists that wait until one of those in progress ends; on PostgreSQL and with --replay nonce, pages of the audit only',
        ofWorkers: 'sum',
        read: () => (this.#queue ?? this.#audit).waiting,
      },
    ];
  }

  /**
   * Runs the work of a call, a list in the order of the queue and any other call at once.
   *
   * @throws {TooManyWaitError} when too many lists of the application wait
   * @throws {BusyError} when the deadline passes or the caller disconnects while the list waits
   */
  run<T>({ kind, call, deadline }: ListCall, work: () => Promise<T>): Promise<T> {
    const queue = this.#queueOf(kind);
    if (queue === undefined) return work();
    if (queue.waiting === 0) this.#pace.begin(threadMs());
    const answerList = async () => {
      const result = await work();
      this.#pace.note(threadMs(), 1);
      return result;
    };
    // The queue starts the work when another caller's ends, in that one's trace.
    const job = { owner: deadline.owner, deadline, signal: call.disconnectSignal() };
    return inSpan('list', {}, () => queue.run(job, carryTrace(answerList)));
  }

  #queueOf(kind: ListKind | undefined): FairQueue | undefined {
    if (kind === undefined) return undefined;
    return this.#queue ?? (kind === 'audit' ? this.#audit : undefined);
  }
}
