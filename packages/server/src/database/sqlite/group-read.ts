import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FileMapping } from './files/file-mapping.ts';
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
  readonly #mapping: FileMapping;
  /** The version that the latest group read. */
  #version = 0n;
  #versionOfWaiting: Promise<bigint> | undefined;
  #waiting: Job[] = [];

  /** @param now milliseconds of a clock that is never set back */
  constructor(connection: DatabaseSync, now: () => number) {
    this.#connection = connection;
    this.#mapping = new FileMapping(connection, now);
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
    this.#versionOfWaiting ??= this.submit(() => [this.#version]).then(([version]) => version as bigint);
    return this.#versionOfWaiting;
  }

  #runGroup(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    // Later callers may know of a later commit.
    this.#versionOfWaiting = undefined;
    try {
      if (jobs.length > 1) this.#begin.run();
      this.#version = (this.#selectVersion.get() as { data_version: bigint }).data_version;
      for (const job of jobs) runJob(job);
      if (jobs.length > 1) this.#end.run();
      this.#mapping.adapt(this.#version);
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
