import { setTimeout as delay } from 'node:timers/promises';
import { BusyError } from '../../../errors/busy-error.ts';
import { TimeSlice } from '../../../slices/time-slice.ts';
import type { Deadline } from '../../../time/deadline.ts';
import { OutcomeUnknownError } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { isBusy } from '../errors/retry-while-busy.ts';
import { mayBeInLog } from '../errors/sqlite-error.ts';
import type { DatabaseHealth } from '../files/database-health.ts';
import { ThreadEndedError } from './statement-thread.ts';
import { commitStatement, type Writer } from './writer.ts';

/** A write that waits for its outcome. */
export interface Job {
  readonly run: (session: Session) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** When the caller gives up; absent for work of the server itself. */
  readonly deadline: Deadline | undefined;
}

export type Outcome = { readonly job: Job } & ({ readonly value: unknown } | { readonly error: unknown });

export interface GroupTransactionOptions {
  /** How long a group waits for another process's write to end, in milliseconds. */
  readonly lockWaitMs: number;
  /** The state of the database's files; informed of how each group ended. */
  readonly health?: Pick<
    DatabaseHealth,
    'requireIntact' | 'changedFile' | 'writeFailed' | 'noteCommit' | 'noteLockTaken' | 'noteLockMissed'
  >;
}

const lockRetryMs = 5;

const lockOfOurs =
  'this process itself keeps the database locked, because the system did not end its lock; restart this node';

/** Groups that use savepoints after one in which a write failed, because more failures are likely to follow. */
const guardedGroups = 16;

/**
 * The transaction of one group after another, on one connection.
 *
 * A savepoint takes about a sixth of a small write's time, because SQLite copies each page that changes after it. A
 * group therefore runs without savepoints, and again with one for each write if a write fails.
 */
export class GroupTransaction {
  readonly #writer: Writer;
  readonly #options: GroupTransactionOptions;
  /** How many of the next groups use savepoints from the start. */
  #guardedGroups = 0;

  constructor(writer: Writer, options: GroupTransactionOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#writer.isTransaction;
  }

  /** Begins the transaction for the jobs that still have time, if any. */
  async begin(group: readonly Job[]): Promise<readonly Job[]> {
    const giveUpAtMs = performance.now() + this.#options.lockWaitMs;
    const { health } = this.#options;
    let jobs = group;
    let waited = false;
    for (;;) {
      jobs = refuseLate(jobs);
      if (jobs.length === 0) {
        if (waited) health?.noteLockMissed();
        return jobs;
      }
      try {
        if (this.isOpen) await this.#writer.control('rollback');
        await this.#writer.begin();
        health?.noteLockTaken();
        return jobs;
      } catch (error) {
        if (!isBusy(error)) throw error;
        waited = true;
        if (performance.now() > giveUpAtMs) {
          const isOwn = health?.noteLockMissed() === true;
          throw new BusyError(isOwn ? lockOfOurs : 'another process keeps the database locked', {
            cause: error,
          });
        }
        await delay(lockRetryMs);
      }
    }
  }

  /**
   * Runs the jobs, and undoes those that fail. A job may run twice; the effects of its first run are undone. The event
   * loop serves others between jobs that take long. The transaction is closed afterwards if nothing is left to commit.
   */
  async run(group: readonly Job[]): Promise<readonly Outcome[]> {
    if (this.#guardedGroups > 0) {
      this.#guardedGroups -= 1;
      return this.#runGuarded(group);
    }
    const outcomes = await this.#runUntilFailure(group);
    const last = outcomes.at(-1);
    if (last === undefined || !('error' in last)) return outcomes;
    await this.#writer.control('rollback');
    return group.length === 1 ? outcomes : this.#runGuarded(await this.begin(group));
  }

  /**
   * @throws {OutcomeUnknownError} when a crash could still restore the transaction, because its pages may be complete
   * in the log and only the sync after them failed; also when the file was removed or replaced meanwhile
   */
  async commit(): Promise<void> {
    this.#options.health?.requireIntact();
    try {
      // Without a change, a commit writes nothing, and would succeed on a disk that still fails.
      if (this.#options.health?.writeFailed) await this.#rewriteVersion();
      await this.#writer.control(commitStatement);
    } catch (error) {
      if (error instanceof ThreadEndedError) throw new OutcomeUnknownError(false, { cause: error });
      await this.rollBack();
      if (mayBeInLog(error) && !(await this.#overwriteLog()))
        throw new OutcomeUnknownError(false, { cause: error });
      throw error;
    }
    const changed = this.#options.health?.changedFile();
    if (changed === undefined) return;
    const cause = new Error(`${changed} was removed or replaced during the commit`);
    throw new OutcomeUnknownError(false, { cause });
  }

  async rollBack(): Promise<void> {
    try {
      if (this.isOpen) await this.#writer.control('rollback');
    } catch (error) {
      // The rollback is retried before the next group begins; this group's jobs must still get the original error.
      this.#options.health?.noteCommit(error);
    }
  }

  /** Returns the outcomes up to the first failure. */
  async #runUntilFailure(group: readonly Job[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const timeSlice = new TimeSlice();
    for (const job of group) {
      if (timeSlice.isOver()) await timeSlice.next();
      try {
        outcomes.push({ job, value: await job.run(this.#writer.session) });
      } catch (error) {
        this.#requireOpen(error);
        return [...outcomes, { job, error }];
      }
    }
    return outcomes;
  }

  async #runGuarded(group: readonly Job[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const timeSlice = new TimeSlice();
    for (const job of group) {
      if (timeSlice.isOver()) await timeSlice.next();
      outcomes.push(await this.#runInSavepoint(job));
    }
    if (outcomes.some((outcome) => 'error' in outcome)) this.#guardedGroups = guardedGroups;
    return outcomes;
  }

  async #runInSavepoint(job: Job): Promise<Outcome> {
    await this.#writer.control('savepoint write_of_group');
    try {
      const value = await job.run(this.#writer.session);
      await this.#writer.control('release write_of_group');
      return { job, value };
    } catch (error) {
      this.#requireOpen(error);
      await this.#writer.control('rollback to write_of_group');
      await this.#writer.control('release write_of_group');
      return { job, error };
    }
  }

  /** On a full disk SQLite rolls back the whole transaction; then the group has failed as one. */
  #requireOpen(error: unknown): void {
    if (!this.isOpen) throw error;
  }

  /** Overwrites what a failed commit left at the end of the log; returns whether that reached the disk. */
  async #overwriteLog(): Promise<boolean> {
    try {
      await this.#writer.begin();
      await this.#rewriteVersion();
      await this.#writer.control(commitStatement);
      return true;
    } catch {
      await this.rollBack();
      return false;
    }
  }

  /** Changes a page of the file, and nothing in it. */
  async #rewriteVersion(): Promise<void> {
    const [row] = await this.#writer.session.statements.all('pragma user_version', []);
    const { user_version: version } = row as { user_version: bigint };
    await this.#writer.control(`pragma user_version = ${version}`);
  }
}

/** Refuses writes that are out of time; they have had no effect. Returns the others. */
export function refuseLate(jobs: readonly Job[]): Job[] {
  return jobs.filter(({ deadline, reject }) => {
    if (deadline?.remainingMs !== 0) return true;
    reject(new BusyError('the call ran out of time while the write waited'));
    return false;
  });
}
