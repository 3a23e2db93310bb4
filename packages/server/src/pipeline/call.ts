import type { Operation, OperationKey } from '@fieldroster/contract';

/** A request for an operation, as the listener received it. */
export interface Call {
  readonly key: OperationKey;
  readonly operation: Operation;
  readonly requestId: string;
  readonly method: string;
  /** Path and query as received, still encoded. */
  readonly target: string;
  /** The Host header, which nobody vouches for. */
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly body: Buffer;
  /** Aborts when the caller disconnects before its answer. */
  readonly disconnectSignal: () => AbortSignal;
  /** The application that the caller names, for the log: set as soon as it is known. */
  appId?: string;
  /** A keyed hash of the username, for the log: set when a password check fails. */
  usernameHash?: string;
  /** The revision of what was read, for the ETag. */
  revision?: bigint;
}
