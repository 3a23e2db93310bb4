import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { toBusyError } from './sqlite-error.ts';

interface Job {
  readonly run: () => unknown[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets reads that arrive together share one read transaction: entering and leaving one takes system calls for
 * its locks, which cost about as much as the read itself. The transaction begins after the last of them has
 * arrived, so that none of them sees less than what was committed before it was asked.
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

  /** @param run reads on the connection, at once */
  submit(run: () => unknown[]): Promise<unknown[]> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    // The requests that the event loop has ready get to join the group before it starts.
    if (this.#waiting.length === 0) setImmediate(() => this.#runGroup());
    this.#waiting.push({ run, resolve, reject });
    return promise;
  }

  /** A number that is another one once any other connection, of whatever process, has committed. */
  dataVersion(): Promise<bigint> {
    this.#version ??= this.submit(() => [this.#selectVersion.get()]).then(
      ([row]) => (row as { data_version: bigint }).data_version,
    );
    return this.#version;
  }

  #runGroup(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    // Whoever asks from now on may know of a later commit.
    this.#version = undefined;
    try {
      if (jobs.length > 1) this.#begin.run();
      for (const job of jobs) runJob(job);
      if (jobs.length > 1) this.#end.run();
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
      // Those that were told already stay told.
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
