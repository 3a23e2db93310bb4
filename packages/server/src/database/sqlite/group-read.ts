import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { toBusyError } from './sqlite-error.ts';

interface Job {
  readonly run: () => unknown[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets reads that arrive together share one read transaction: the system calls that lock and unlock for one cost about
 * as much as the read itself. The transaction begins after the last read has arrived, so that each sees everything
 * committed before it was requested.
 */
export class GroupRead {
  readonly #connection: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #selectVersion: StatementSync;
  #version: Promise<bigint> | undefined;
  #waiting: Job[] = [];

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#begin = connection.prepare('begin');
    this.#end = connection.prepare('commit');
    this.#selectVersion = connection.prepare('pragma data_version');
  }

  /** @param run reads on the connection, synchronously */
  submit(run: () => unknown[]): Promise<unknown[]> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    // Let requests that are ready in the event loop join the group.
    if (this.#waiting.length === 0) setImmediate(() => this.#runGroup());
    this.#waiting.push({ run, resolve, reject });
    return promise;
  }

  /** Returns a number that changes once any other connection, of any process, has committed. */
  dataVersion(): Promise<bigint> {
    this.#version ??= this.submit(() => [this.#selectVersion.get()]).then(
      ([row]) => (row as { data_version: bigint }).data_version,
    );
    return this.#version;
  }

  #runGroup(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    // Later callers may know of a later commit.
    this.#version = undefined;
    try {
      if (jobs.length > 1) this.#begin.run();
      for (const job of jobs) runJob(job);
      if (jobs.length > 1) this.#end.run();
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
      // Jobs that are already settled stay so.
      for (const job of jobs) job.reject(toBusyError(error));
    }
  }
}

function runJob({ run, resolve, reject }: Job): void {
  try {
    resolve(run());
  } catch (error) {
    reject(toBusyError(error));
  }
}
