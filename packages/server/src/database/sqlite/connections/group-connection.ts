import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FileMapping } from '../files/file-mapping.ts';

/** A connection on which one group of reads runs after another. */
export class GroupConnection {
  readonly connection: DatabaseSync;
  /** Whether anything may have been committed between the latest two groups of this connection. */
  hasNews = false;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #selectVersion: StatementSync;
  readonly #selectChanges: StatementSync;
  readonly #mapping: FileMapping;
  /** Changes with each commit of another connection; never negative. */
  #version = -1n;
  /** Grows with the rows that this connection changes, committed or not; never negative. */
  #changes = -1n;

  /** @param now milliseconds of a clock that is never set back */
  constructor(connection: DatabaseSync, now: () => number) {
    this.connection = connection;
    this.#mapping = new FileMapping(connection, now);
    this.#begin = connection.prepare('begin');
    this.#end = connection.prepare('commit');
    this.#selectVersion = connection.prepare('pragma data_version');
    this.#selectChanges = connection.prepare('select total_changes()');
    // Rows as objects would take half as long again for every group.
    for (const statement of [this.#selectVersion, this.#selectChanges]) statement.setReturnArrays(true);
  }

  /** @param inTransaction whether the reads of the group share a transaction, and so the locks that it takes */
  begin(inTransaction: boolean): this {
    try {
      if (inTransaction) this.#begin.run();
      const version = readNumber(this.#selectVersion);
      const changes = readNumber(this.#selectChanges);
      this.hasNews = version !== this.#version || changes !== this.#changes;
      this.#version = version;
      this.#changes = changes;
      return this;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  end(): void {
    if (this.connection.isTransaction) this.#end.run();
    this.#mapping.adapt(this.#version);
  }

  /** Undoes the transaction of a group that failed. */
  abandon(): void {
    if (this.connection.isTransaction) this.connection.exec('rollback');
  }
}

/** Returns the only value that a statement selects. */
function readNumber(statement: StatementSync): bigint {
  const [value] = statement.get() as unknown as [bigint];
  return value;
}
