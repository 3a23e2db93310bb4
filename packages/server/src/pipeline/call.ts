import type { Operation, OperationKey } from '@fieldroster/contract';

/** A body as it was received. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Content-MD5 in Base64; absent for small bodies, for which it is computed on demand. */
  readonly md5?: string;
  /** Whether the bytes are UTF-8; absent for small bodies. */
  readonly isUtf8?: boolean;
}

export const noBody: ReceivedBody = { bytes: Buffer.alloc(0) };

/** A body that is still arriving. None of it is kept before `receive` is called. */
export interface IncomingBody {
  /**
   * Reads the whole body.
   *
   * @throws {ApiError} 1004 when it is too large, 1503 when too much is being received, 1001 when it does not arrive
   */
  receive(): Promise<ReceivedBody>;
}

/** What the handler of a signed operation and its answer need of a call, which the console may make too. */
export interface OperationCall {
  readonly key: OperationKey;
  readonly operation: Operation;
  readonly requestId: string;
  /** Returns a signal that aborts when the caller disconnects before its answer. */
  readonly disconnectSignal: () => AbortSignal;
}

/** A request for an operation, as the listener received it. */
export interface Call extends OperationCall {
  readonly method: string;
  /** Path and query as received, still encoded. */
  readonly target: string;
  /** The Host header, which is not verified. */
  readonly host: string | undefined;
  /** Returns the prefix of the path that a trusted proxy says it removed; read only to explain a wrong signature. */
  readonly forwardedPrefix?: () => string | undefined;
  /** The client's address, if known. */
  readonly address: string | undefined;
  readonly authorization: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  /** A header of the signature that the request has several times; its value above is all of them, joined. */
  readonly repeatedHeader?: { readonly name: string; readonly times: number } | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** Absent when the request has no body. */
  readonly incoming?: IncomingBody;
  /** Resolves once the requests before it on its connection are answered; absent if it need not wait for them. */
  readonly earlierAnswered?: Promise<void> | undefined;
}
