import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreBusyError } from '../store.ts';
import { isBusy } from './retry-while-busy.ts';

interface Job {
  readonly run: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly job: Job } & ({ readonly value: unknown } | { readonly error: unknown });

export interface GroupCommitOptions {
  /** Writes that may wait at once; one more is refused. */
  readonly waitingMax: number;
  /** How long a group waits for another process to end its own write, in milliseconds. */
  readonly lockWaitMs: number;
  /** Is called after each commit. */
  readonly onCommit?: () => void;
}

/** Longest time that one group keeps the other requests of the process waiting is bounded by its size. */
const groupSizeMax = 64;

const lockRetryMs = 5;

/**
 * Lets writes that arrive together share one transaction and so one sync to disk, each in a savepoint of
 * its own. Every outcome, a refusal included, is told only after the commit, because a refusal may rest on
 * what another write of the same group did.
 */
export class GroupCommit {
  readonly #connection: DatabaseSync;
  readonly #options: GroupCommitOptions;
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'undo', StatementSync>;
  #waiting: Job[] = [];
  #running = false;
  #closed = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(connection: DatabaseSync, options: GroupCommitOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#statements = {
      begin: connection.prepare('begin immediate'),
      commit: connection.prepare('commit'),
      savepoint: connection.prepare('savepoint write_of_group'),
      release: connection.prepare('release write_of_group'),
      undo: connection.prepare('rollback to write_of_group'),
    };
  }

  /**
   * @param run does its work on the connection and awaits nothing else, but for turns of the event loop: the
   * transaction is open meanwhile, and nobody else works on this connection
   * @throws {StoreBusyError} when too many writes wait, or another process keeps the database locked
   */
  submit<T>(run: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreBusyError('the database is being closed'));
    if (this.#waiting.length >= this.#options.waitingMax) {
      return Promise.reject(new StoreBusyError(`${this.#options.waitingMax} writes wait already`));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
    if (!this.#running) {
      this.#running = true;
      // The requests that the event loop has ready get to join the group before it starts.
      setImmediate(() => void this.#drain());
    }
    return promise;
  }

  /** Takes no more writes, and resolves once none waits or runs. */
  close(): Promise<void> {
    this.#closed = true;
    if (!this.#running) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#runGroup(this.#waiting.splice(0, groupSizeMax));
      if (this.#waiting.length > 0) await new Promise((resume) => setImmediate(resume));
    }
    this.#running = false;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  async #runGroup(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#begin();
      const outcomes: Outcome[] = [];
      for (const job of jobs) outcomes.push(await this.#runInSavepoint(job));
      this.#statements.commit.run();
      settle(outcomes);
      this.#options.onCommit?.();
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
      for (const job of jobs) job.reject(error);
    }
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + this.#options.lockWaitMs;
    for (;;) {
      try {
        this.#statements.begin.run();
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > deadline) {
          throw new StoreBusyError('another process keeps the database locked', { cause: error });
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
      // A full disk makes SQLite undo the whole transaction by itself; then the group has failed as one.
      if (!this.#connection.isTransaction) throw error;
      this.#statements.undo.run();
      this.#statements.release.run();
      return { job, error };
    }
  }
}

function settle(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if ('error' in outcome) outcome.job.reject(outcome.error);
    else outcome.job.resolve(outcome.value);
  }
}
