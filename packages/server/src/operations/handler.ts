import type { Access, Data, Input, Operation } from '@fieldroster/contract';
import type { ApiError } from '../api-error.ts';
import type { DirectoryReader, DirectoryWriter } from '../database/database.ts';
import type { PasswordVerdict } from '../passwords/password-hasher.ts';
import type { WithRevision } from './with-revision.ts';

type OwnCode<Definition extends Operation> = Definition['codes'][number];

/** What a handler has at hand; all of it is bound to the caller's tenant. */
export interface ReadContext<Definition extends Operation> {
  /** What the calling application may do. */
  readonly scope: Access;
  readonly directory: DirectoryReader;
  /** Makes the error of a code that the operation declares. To be thrown. */
  readonly refuse: (code: OwnCode<Definition>, message: string) => ApiError;
  readonly passwords: PasswordWork;
  /**
   * Runs in one transaction with the audit row and without a replay check: for what a read leaves behind, and
   * what may happen twice.
   */
  readonly writeAside: Write;
}

/** Works on passwords, a bounded number at once. */
export interface PasswordWork {
  /** Returns the PHC string to store. */
  readonly hash: (password: string) => Promise<string>;
  /** Without a hash it takes the same work and answers no. */
  readonly verify: (password: string, hash: string | undefined) => Promise<PasswordVerdict>;
  /** Counts an `undefined` as a failure of the username and of the application; throws 1429 after too many. */
  readonly countFailures: <T>(
    username: string,
    check: () => Promise<T | undefined>,
  ) => Promise<T | undefined>;
  /** Runs work on the password of a username. When it fails, the log line gets a keyed hash of the username. */
  readonly logUsername: <T>(username: string, work: () => Promise<T>) => Promise<T>;
}

type Write = <T>(work: (directory: DirectoryWriter) => Promise<Change<T>>) => Promise<T>;

/** What an audit row says of a write. */
export interface Effect {
  /** The user that it was about; left out when it was about none. */
  readonly userId?: bigint;
  readonly changes: Readonly<Record<string, unknown>>;
}

/** What a write did: its answer, and what the audit row says of it. */
export interface Change<T> extends Effect {
  readonly result: T;
  /** What it did to others by the way; each has an audit row of its own. */
  readonly more?: readonly Effect[];
}

export interface WriteContext<Definition extends Operation> extends ReadContext<Definition> {
  /** Runs in one transaction with the replay check and the audit row; throwing undoes all of it. */
  readonly write: Write;
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
