import type { CallOptions } from './client-options.ts';
import { type OperationMethods, operations } from './generated/operations.ts';
import type { OperationKey } from './prepare-request.ts';

/** What an operation takes. */
export type OperationInput<Key extends OperationKey> = Parameters<OperationMethods[Key]>[0];

/** What an operation answers. */
export type OperationResult<Id, Key extends OperationKey> = Awaited<ReturnType<OperationMethods<Id>[Key]>>;

/** Carries out a call of any operation. */
export type CallAny<Id> = <Key extends OperationKey>(
  key: Key,
  input: OperationInput<Key>,
  options: CallOptions | undefined,
) => Promise<OperationResult<Id, Key>>;

class Calls<Id> {
  constructor(call: CallAny<Id>) {
    for (const key of Object.keys(operations) as OperationKey[]) {
      const value = (input: OperationInput<typeof key>, options?: CallOptions) => call(key, input, options);
      Object.defineProperty(this, key, { value });
    }
  }
}

/** A class with a method for every operation of the contract, each of which passes its arguments to `call`. */
export const OperationCalls = Calls as new <Id>(call: CallAny<Id>) => OperationMethods<Id>;
