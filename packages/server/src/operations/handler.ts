import type { Access, Data, Input, Operation } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { DirectoryReader, DirectoryWriter } from '../database/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { PasswordVerdict } from '../passwords/password-hasher.ts';
import type { LongList } from './long-list.ts';
import type { WithRevision } from './with-revision.ts';

type OwnCode<Definition extends Operation> = Definition['codes'][number];

/** The parts that a handler may use; all of them are bound to the caller's tenant. */
export interface ReadContext<Definition extends Operation> {
  /** Scope of the calling application. */
  readonly scope: Access;
  readonly directory: DirectoryReader;
  /** Returns an error to throw, with a code that the operation declares. */
  readonly refuse: (code: OwnCode<Definition>, message: string | Problem) => ApiError;
  readonly passwords: PasswordWork;
  /** Unix milliseconds. */
  readonly now: () => number;
  /**
   * Runs work that only reads what a write of this many rows would do. Few of the very large ones run at once.
   */
  readonly dryRunMany: <T>(rows: number, work: () => Promise<T>) => Promise<T>;
  /**
   * Runs in one transaction with the audit row but without a replay check, for side effects of reads that may happen
   * twice.
   */
  readonly writeAside: Write;
}

/** Works on passwords, a bounded number at once. */
export interface PasswordWork {
  /** Returns the PHC string to store. */
  readonly hash: (password: string) => Promise<string>;
  /** Without a hash, it does the same work and reports no match. */
  readonly verify: (password: string, hash: string | undefined) => Promise<PasswordVerdict>;
  /** Counts a result of `undefined` as a failure of the username and of the application; throws 1429 after too many. */
  readonly countFailures: <T>(
    username: string,
    check: () => Promise<T | undefined>,
  ) => Promise<T | undefined>;
  /** Runs work on the password of a username. When it fails, the log line gets a keyed hash of the username. */
  readonly logUsername: <T>(username: string, work: () => Promise<T>) => Promise<T>;
}

type Work<T> = (directory: DirectoryWriter) => Promise<Change<T>>;

type Write = <T>(work: Work<T>) => Promise<T>;

/** The content of the audit row of a write. */
export interface Effect {
  /** The user concerned; left out when there is none. */
  readonly userId?: bigint;
  readonly changes: Readonly<Record<string, unknown>>;
}

/** Result of a write: its answer and its audit row. */
export interface Change<T> extends Effect {
  readonly result: T;
  /** Its effects on others; each has its own audit row. */
  readonly more?: readonly Effect[];
}

export interface WriteContext<Definition extends Operation> extends ReadContext<Definition> {
  /** Runs in one transaction with the replay check and the audit row; throwing undoes all of it. */
  readonly write: Write;
  /**
   * Like `write`. Work on thousands of rows gets more time, and no other write waits for all of it.
   *
   * @param rows how many rows the work changes, as counted before it waits
   * @param work calls `requireTimeFor` with the rows that it finds, before it changes any. If they are many more, it is
   * undone and run again.
   */
  readonly writeMany: <T>(
    rows: number,
    work: (directory: DirectoryWriter, requireTimeFor: (rows: number) => void) => Promise<Change<T>>,
  ) => Promise<T>;
}

/** One operation's story: read, decide, write, present. */
export type Handler<Definition extends Operation, Result = Data<Definition>> = (
  input: Input<Definition>,
  context: Definition['access'] extends 'read' ? ReadContext<Definition> : WriteContext<Definition>,
) => Promise<Result>;

/** The handler of a read whose answer has an ETag header. */
export type HandlerWithRevision<Definition extends Operation> = Handler<
  Definition,
  WithRevision<Data<Definition>>
>;

/** The handler of a read whose list may be too long to hold. */
export type HandlerOfLongList<Definition extends Operation> = Handler<
  Definition,
  Data<Definition> | LongList<Data<Definition> & object>
>;
