import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { currentDeadline, type Deadline } from '../../deadline.ts';
import { FairLane } from '../../fairness/fair-lane.ts';
import { carryTrace, inSpan } from '../../tracing/trace.ts';
import { CommitCounts } from '../commit-counts.ts';
import { DatabaseBusyError, OutcomeUnknownError } from '../database.ts';
import type { DatabaseHealth } from './database-health.ts';
import { isBusy } from './retry-while-busy.ts';
import { mayBeInLog, toBusyError } from './sqlite-error.ts';

interface Job {
  readonly run: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** When the caller gives up; absent for work of the server itself. */
  readonly deadline: Deadline | undefined;
}

type Outcome = { readonly job: Job } & ({ readonly value: unknown } | { readonly error: unknown });

export interface GroupCommitOptions {
  /** Maximum number of waiting writes; further ones are refused. */
  readonly waitingMax: number;
  /** How long a group waits for another process's write to end, in milliseconds. */
  readonly lockWaitMs: number;
  /** The state of the database's files; informed of how each group ended. */
  readonly health?: Pick<DatabaseHealth, 'requireIntact' | 'changedFile' | 'noteCommit'>;
  /** Is called after each commit. */
  readonly onCommit?: () => void;
}

/** Bounds how long one group can delay other requests. */
const groupSizeMax = 64;

/** Waiting writes of one application while a queue persists: four groups. */
const standingOfApplicationMax = 256;

/** The server's own writes are few, and may wait. */
const ofServer = { owner: '', cost: 1, patient: true };

const lockRetryMs = 5;

/** How often waiting writes are checked for those out of time. */
const deadlineCheckIntervalMs = 100;

/**
 * Lets writes that arrive together share one transaction, and so one sync to disk, each in its own savepoint. Every
 * outcome, including a refusal, is reported only after the commit, because a refusal may depend on another write of the
 * same group.
 */
export class GroupCommit {
  readonly #connection: DatabaseSync;
  readonly #options: GroupCommitOptions;
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'undo', StatementSync>;
  /** Counts the groups committed. */
  readonly commits = new CommitCounts();
  readonly #waiting: FairLane<Job>;
  /** A bulk write whose turn has come, but which must not share the group before it. */
  #held: Job | undefined;
  #running = false;
  #closed = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(connection: DatabaseSync, options: GroupCommitOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#waiting = new FairLane({
      burstMax: options.waitingMax,
      standingMax: standingOfApplicationMax,
      refuse: ({ reject }) => reject(tooManyWait()),
    });
    this.#statements = {
      begin: connection.prepare('begin immediate'),
      commit: connection.prepare('commit'),
      savepoint: connection.prepare('savepoint write_of_group'),
      release: connection.prepare('release write_of_group'),
      undo: connection.prepare('rollback to write_of_group'),
    };
  }

  /** Writes that wait for their group. */
  get waiting(): number {
    return this.#waiting.size + (this.#held === undefined ? 0 : 1);
  }

  /**
   * @param run works on the connection and awaits nothing but turns of the event loop: its transaction is open
   * meanwhile, and nothing else uses this connection
   * @throws {DatabaseBusyError} when too many writes wait, another process keeps the database locked, the disk is full,
   * or the call runs out of time before its turn
   * @throws {OutcomeUnknownError} when the disk failed during the commit
   */
  submit<T>(run: () => Promise<T>): Promise<T> {
    return inSpan('group commit', {}, () => this.#submit(carryTrace(run)));
  }

  #submit<T>(run: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseBusyError('the database is being closed'));
    const deadline = currentDeadline();
    const { owner, cost, patient } = deadline ?? ofServer;
    const refusal = this.#refusalOf(owner, patient);
    if (refusal !== undefined) return Promise.reject(refusal);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job = { run, resolve: resolve as (value: unknown) => void, reject, deadline };
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

  #refusalOf(owner: string, patient: boolean): DatabaseBusyError | undefined {
    const { waitingMax } = this.#options;
    if (this.waiting >= waitingMax) return new DatabaseBusyError(`${waitingMax} writes are already waiting`);
    return !patient && this.#waiting.isFullFor(owner) ? tooManyWait() : undefined;
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
      if (withoutLate([item]).length === 0) this.#waiting.remove(owner, item);
    }
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    let jobs = group;
    const startedMs = performance.now();
    try {
      jobs = await this.#begin(group);
      if (jobs.length === 0) return;
      const outcomes: Outcome[] = [];
      for (const job of jobs) outcomes.push(await this.#runInSavepoint(job));
      this.#commit();
      this.commits.note(jobs.length, performance.now() - startedMs);
      this.#options.health?.noteCommit(undefined);
      settle(outcomes);
      this.#options.onCommit?.();
    } catch (error) {
      this.#options.health?.noteCommit(error);
      this.#rollBack();
      for (const job of jobs) job.reject(toBusyError(error));
    }
  }

  /**
   * @throws {OutcomeUnknownError} when a crash could still restore the transaction, because its pages may be complete
   * in the log and only the sync after them failed; also when the file was removed or replaced meanwhile
   */
  #commit(): void {
    this.#options.health?.requireIntact();
    try {
      this.#statements.commit.run();
    } catch (error) {
      this.#rollBack();
      if (mayBeInLog(error) && !this.#overwriteLog()) throw new OutcomeUnknownError(false, { cause: error });
      throw error;
    }
    const changed = this.#options.health?.changedFile();
    if (changed === undefined) return;
    const cause = new Error(`${changed} was removed or replaced during the commit`);
    throw new OutcomeUnknownError(false, { cause });
  }

  #rollBack(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
    } catch (error) {
      // The rollback is retried before the next group begins; this group's jobs must still get the original error.
      this.#options.health?.noteCommit(error);
    }
  }

  /** Overwrites what a failed commit left at the end of the log; returns whether that reached the disk. */
  #overwriteLog(): boolean {
    try {
      const { user_version: version = 0 } = this.#connection.prepare('pragma user_version').get() ?? {};
      this.#connection.exec(`begin immediate; pragma user_version = ${version}; commit`);
      return true;
    } catch {
      this.#rollBack();
      return false;
    }
  }

  /** Begins a transaction for the jobs that still have time, if any. */
  async #begin(group: readonly Job[]): Promise<readonly Job[]> {
    const giveUpAtMs = performance.now() + this.#options.lockWaitMs;
    let jobs = group;
    for (;;) {
      jobs = withoutLate(jobs);
      if (jobs.length === 0) return jobs;
      try {
        if (this.#connection.isTransaction) this.#connection.exec('rollback');
        this.#statements.begin.run();
        return jobs;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > giveUpAtMs) {
          throw new DatabaseBusyError('another process keeps the database locked', { cause: error });
        }
        await delay(lockRetryMs);
      }
    }
  }

  async #runInSavepoint(job: Job): Promise<Outcome> {
    this.#statements.savepoint.run();
    try {
      const value = await job.run();
      this.#statements.release.run();
      return { job, value };
    } catch (error) {
      // On a full disk SQLite rolls back the whole transaction; then the group has failed as one.
      if (!this.#connection.isTransaction) throw error;
      this.#statements.undo.run();
      this.#statements.release.run();
      return { job, error };
    }
  }
}

function tooManyWait(): DatabaseBusyError {
  return new DatabaseBusyError('too many writes of this application wait');
}

/** Refuses writes that are out of time; they have had no effect. Returns the others. */
function withoutLate<Jobs extends readonly Job[]>(jobs: Jobs): Job[] {
  return jobs.filter(({ deadline, reject }) => {
    if (deadline?.remainingMs !== 0) return true;
    reject(new DatabaseBusyError('the write waited for its turn as long as its call may'));
    return false;
  });
}

function settle(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if ('error' in outcome) outcome.job.reject(toBusyError(outcome.error));
    else outcome.job.resolve(outcome.value);
  }
}
