import { BusyError, TooManyWaitError } from '../../../errors/busy-error.ts';
import { FairLane } from '../../../fairness/fair-lane.ts';
import { currentDeadline, currentTurn } from '../../../time/deadline.ts';
import { carryTrace, inSpan } from '../../../tracing/trace.ts';
import { CommitCounts } from '../../commit-counts.ts';
import type { Session } from '../../queries/session.ts';
import { toBusyError } from '../errors/sqlite-error.ts';
import {
  GroupTransaction,
  type GroupTransactionOptions,
  type Job,
  type Outcome,
  refuseLate,
} from './group-transaction.ts';
import type { Writer } from './writer.ts';

export interface GroupCommitOptions extends GroupTransactionOptions {
  /** Maximum number of waiting writes; further ones are refused. */
  readonly waitingMax: number;
  /** Commits bulk writes, if not the writer of the others. */
  readonly bulkWriter?: Writer;
  /** Called after each commit, and never fails. The next write waits for what it returns. */
  readonly onCommit?: () => Promise<void> | undefined;
}

/** Bounds how long one group can delay other requests. */
const groupSizeMax = 64;

/** Waiting writes of one application while a queue persists: four groups. */
const standingOfApplicationMax = 256;

/** How often to look for waiting writes that are out of time. */
const deadlineCheckIntervalMs = 100;

/**
 * Lets writes that arrive together share one transaction, and so one sync to disk; a write that fails does not undo the
 * others. Every outcome, including a refusal, is reported only after the commit, because a refusal may depend on
 * another write of the same group.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #transaction: GroupTransaction;
  readonly #bulkTransaction: GroupTransaction;
  readonly commits = new CommitCounts();
  readonly #waiting: FairLane<Job>;
  /** A bulk write that is next, but must not share the group before it. */
  #held: Job | undefined;
  #running = false;
  #closed = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(writer: Writer, options: GroupCommitOptions) {
    this.#options = options;
    const { bulkWriter } = options;
    this.#transaction = new GroupTransaction(writer, options);
    this.#bulkTransaction = bulkWriter ? new GroupTransaction(bulkWriter, options) : this.#transaction;
    this.#waiting = new FairLane({
      burstMax: options.waitingMax,
      standingMax: standingOfApplicationMax,
      refuse: ({ reject }) => reject(tooManyWait()),
    });
  }

  /** Writes that wait for their group. */
  get waiting(): number {
    return this.#waiting.size + (this.#held === undefined ? 0 : 1);
  }

  /** Returns whether so many writes of the application wait that another one would be refused at once. */
  isFullFor(owner: string): boolean {
    return this.#waiting.isFullFor(owner);
  }

  /**
   * @param run works in the session and awaits nothing but its statements and iterations of the event loop:
   * its transaction is open meanwhile, and nothing else uses this connection.
   * It may run twice, if another write of its group fails; the effects of its first run are undone
   * @throws {BusyError} when too many writes wait, another process keeps the database locked,
   * the disk is full, or the call runs out of time in the queue
   * @throws {OutcomeUnknownError} when the disk failed during the commit
   */
  submit<T>(run: (session: Session) => Promise<T>): Promise<T> {
    return inSpan('group commit', {}, () => this.#submit(carryTrace(run)));
  }

  #submit<T>(run: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new BusyError('the database is being closed'));
    const { owner, cost, patient } = currentTurn();
    const refusal = this.#refusalOf(owner, patient);
    if (refusal !== undefined) return Promise.reject(refusal);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job = { run, resolve: resolve as (value: unknown) => void, reject, deadline: currentDeadline() };
    this.#waiting.add(owner, job, { cost, patient });
    if (!this.#running) {
      this.#running = true;
      // Let requests that are ready in the event loop join the group.
      setImmediate(() => void this.#drain());
    }
    return promise;
  }

  /** Accepts no more writes, and resolves once none waits or runs. */
  close(): Promise<void> {
    this.#closed = true;
    if (!this.#running) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  #refusalOf(owner: string, patient: boolean): BusyError | undefined {
    const { waitingMax } = this.#options;
    if (this.waiting >= waitingMax) return new BusyError(`${waitingMax} writes are already waiting`);
    return !patient && this.isFullFor(owner) ? tooManyWait() : undefined;
  }

  async #drain(): Promise<void> {
    const lookThrough = setInterval(() => this.#refuseLate(), deadlineCheckIntervalMs);
    while (this.waiting > 0) {
      await this.#runGroup(this.#takeGroup());
      if (this.waiting > 0) await new Promise((resume) => setImmediate(resume));
    }
    clearInterval(lookThrough);
    this.#running = false;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** Takes the next group. A bulk write is a group by itself, because no other write should wait for it. */
  #takeGroup(): Job[] {
    const group: Job[] = [];
    while (group.length < groupSizeMax) {
      const job = this.#held ?? this.#waiting.take();
      this.#held = undefined;
      if (job === undefined) break;
      if (job.deadline?.bulk !== true) group.push(job);
      else if (group.length === 0) return [job];
      else {
        this.#held = job;
        break;
      }
    }
    return group;
  }

  /** Refuses waiting writes that are out of time. The held one is looked at when its group begins. */
  #refuseLate(): void {
    for (const { owner, item } of [...this.#waiting]) {
      if (refuseLate([item]).length === 0) this.#waiting.remove(owner, item);
    }
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    const isBulk = group[0]?.deadline?.bulk === true;
    const transaction = isBulk ? this.#bulkTransaction : this.#transaction;
    let jobs = group;
    let committed: boolean;
    const startedMs = performance.now();
    try {
      jobs = await transaction.begin(group);
      if (jobs.length === 0) return;
      const outcomes = await transaction.run(jobs);
      // A transaction that ended with its thread must not pass for one without effects.
      committed = transaction.isOpen || outcomes.some((outcome) => 'value' in outcome);
      if (committed) await transaction.commit();
      if (committed) this.#noteCommit(outcomes.length, startedMs);
      settle(outcomes);
    } catch (error) {
      this.#options.health?.noteCommit(error);
      await transaction.rollBack();
      for (const job of jobs) job.reject(toBusyError(error));
      return;
    }
    if (committed) await this.#options.onCommit?.();
  }

  #noteCommit(writes: number, startedMs: number): void {
    this.commits.note(writes, performance.now() - startedMs);
    this.#options.health?.noteCommit(undefined);
  }
}

function tooManyWait(): TooManyWaitError {
  return new TooManyWaitError('too many writes of this application are waiting');
}

function settle(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if ('error' in outcome) outcome.job.reject(toBusyError(outcome.error));
    else outcome.job.resolve(outcome.value);
  }
}
