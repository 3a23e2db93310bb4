import type { DatabaseSync } from 'node:sqlite';
import { sliceMs } from '../../../slices/time-slice.ts';
import { isBusy } from '../errors/retry-while-busy.ts';
import { toBusyError } from '../errors/sqlite-error.ts';
import { GroupConnection } from './group-connection.ts';

interface Job {
  readonly run: (connection: DatabaseSync) => unknown[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets reads that arrive together share one read transaction: the system calls that lock and unlock for one cost about
 * as much as the read itself. The transaction begins after the last read has arrived, so that each sees everything
 * committed before it was requested. Once a slice of time is over, the reads that are left begin another transaction,
 * which may see later commits.
 *
 * A group reads on the writing connection while no transaction is open there: that connection's own commits leave its
 * page cache and its mapping alone, but make any other connection drop both.
 */
export class GroupRead {
  readonly #now: () => number;
  readonly #own: GroupConnection;
  readonly #writing: GroupConnection | undefined;
  /** Counts the groups that found commits. */
  #version = 0n;
  #versionOfWaiting: Promise<bigint> | undefined;
  #waiting: Job[] = [];

  /**
   * @param connection reads while a transaction is open on the writing one
   * @param now milliseconds of a clock that is never set back
   * @param writing the process's connection for writing, if any
   */
  constructor(connection: DatabaseSync, now: () => number, writing?: DatabaseSync) {
    this.#now = now;
    this.#own = new GroupConnection(connection, now);
    this.#writing = writing && new GroupConnection(writing, now);
  }

  /** @param run reads on the connection that it is given, synchronously */
  submit(run: Job['run']): Promise<unknown[]> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    // Let requests that are ready in the event loop join the group.
    if (this.#waiting.length === 0) setImmediate(() => this.#runGroup());
    this.#waiting.push({ run, resolve, reject });
    return promise;
  }

  /** Returns a number that changes once any connection of any process has committed. */
  dataVersion(): Promise<bigint> {
    this.#versionOfWaiting ??= this.submit(() => [this.#version]).then(([version]) => version as bigint);
    return this.#versionOfWaiting;
  }

  #runGroup(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    // Later callers may know of a later commit.
    this.#versionOfWaiting = undefined;
    let group: GroupConnection | undefined;
    let done = 0;
    try {
      group = this.#begin(jobs.length > 1);
      const beganAtMs = this.#now();
      for (const job of jobs) {
        runJob(job, group.connection);
        done += 1;
        if (this.#now() - beganAtMs >= sliceMs) break;
      }
      group.end();
    } catch (error) {
      group?.abandon();
      // Jobs that are already settled stay so.
      for (const job of jobs) job.reject(toBusyError(error));
      return;
    }
    if (done === jobs.length) return;
    // Reads of long lists take milliseconds each; let the event loop serve others in between.
    this.#waiting = jobs.slice(done);
    setImmediate(() => this.#runGroup());
  }

  #begin(inTransaction: boolean): GroupConnection {
    const group = this.#beginOnWriting(inTransaction) ?? this.#own.begin(inTransaction);
    if (group.hasNews) this.#version += 1n;
    return group;
  }

  /** Returns nothing if a write uses the connection, or if a lock blocks it: only the other connection waits for locks. */
  #beginOnWriting(inTransaction: boolean): GroupConnection | undefined {
    if (this.#writing === undefined || this.#writing.connection.isTransaction) return undefined;
    try {
      return this.#writing.begin(inTransaction);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return undefined;
    }
  }
}

function runJob({ run, resolve, reject }: Job, connection: DatabaseSync): void {
  try {
    resolve(run(connection));
  } catch (error) {
    reject(toBusyError(error));
  }
}
