import type { CallOptions } from './call-options.ts';
import { operations } from './generated/operations.ts';
import type { OperationInput, OperationResult } from './operation-calls.ts';
import type { OperationKey } from './prepare-request.ts';

/** A successful call: its result, and what happened on the way. */
export interface Answered<Data> {
  /** The result of the method without details. */
  readonly data: Data;
  /** Requests sent, including those that read back a lost answer. */
  readonly attempts: number;
  /**
   * Identifies the last request in the server's log; `undefined` where a browser may not read the header.
   */
  readonly requestId: string | undefined;
  /** Milliseconds from the call to its answer, including pauses. */
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

/** A function that calls any operation and returns the details of the call as well. */
type CallAnyWithDetails<Id> = <Key extends OperationKey>(
  key: Key,
  input: OperationInput<Key>,
  options: CallOptions | undefined,
) => Promise<Answered<OperationResult<Id, Key>>>;

/** Returns a method for every operation, which passes its arguments to `call`. */
export function detailedMethods<Id>(call: CallAnyWithDetails<Id>): DetailedMethods<Id> {
  const methods = (Object.keys(operations) as OperationKey[]).map((key) => [
    key,
    (input: OperationInput<typeof key>, options?: CallOptions) => call(key, input, options),
  ]);
  return Object.freeze(Object.fromEntries(methods)) as DetailedMethods<Id>;
}
