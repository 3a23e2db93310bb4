import type { CallOptions } from './client-options.ts';
import type { OperationInput, OperationResult } from './operation-calls.ts';
import type { OperationKey } from './prepare-request.ts';

/** A successful call: its result, and what happened on the way. */
export interface Answered<Data> {
  /** What the method without details returns. */
  readonly data: Data;
  /** Requests sent. */
  readonly attempts: number;
  /**
   * Identifies the last request in the server's log; `undefined` where a browser may not read the header.
   */
  readonly requestId: string | undefined;
  /** Milliseconds from the call to its answer, pauses included. */
  readonly durationMs: number;
  /** The `if_revision` of a later change; `undefined` if the answer does not name one. */
  readonly revision: bigint | undefined;
}

/** A method for every operation that returns its result with details of the call. */
export type DetailedMethods<Id = bigint> = {
  readonly [Key in OperationKey]: (
    input: OperationInput<Key>,
    options?: CallOptions,
  ) => Promise<Answered<OperationResult<Id, Key>>>;
};
