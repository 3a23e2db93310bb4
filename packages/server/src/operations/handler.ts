import type { Data, Input, Operation } from '@fieldroster/contract';
import type { ApiError } from '../api-error.ts';
import type { DirectoryReader, DirectoryWriter } from '../store/store.ts';

type OwnCode<Definition extends Operation> = Definition['codes'][number];

/** What a handler has at hand; all of it is bound to the caller's tenant. */
export interface ReadContext<Definition extends Operation> {
  readonly directory: DirectoryReader;
  /** Makes the error of a code that the operation declares. To be thrown. */
  readonly refuse: (code: OwnCode<Definition>, message: string) => ApiError;
  /** Sends the revision of what was read beside the answer, in its ETag header. */
  readonly sendRevision: (revision: bigint) => void;
}

/** What a write did: its answer, and what the audit row says of it. */
export interface Change<T> {
  readonly result: T;
  readonly userId: bigint;
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface WriteContext<Definition extends Operation> extends ReadContext<Definition> {
  /** Runs in one transaction with the replay check and the audit row; throwing undoes all of it. */
  readonly write: <T>(work: (directory: DirectoryWriter) => Promise<Change<T>>) => Promise<T>;
  /** Returns the PHC string to store. */
  readonly hashPassword: (password: string) => Promise<string>;
}

/** One operation's story: read, decide, write, present. */
export type Handler<Definition extends Operation> = (
  input: Input<Definition>,
  context: Definition['access'] extends 'write' ? WriteContext<Definition> : ReadContext<Definition>,
) => Promise<Data<Definition>>;
