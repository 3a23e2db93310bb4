// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `unbindUserStore`. */
export interface UnbindUserStoreInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Code of a store. */
  readonly store_code: string;
}

export interface UnbindUserStore {
  /**
   * Unbind a user from a store: `DELETE /user/store`. Removes the binding. If the user is not bound to the store, the answer is an error, so the caller learns that nothing was removed.
   *
   * @throws {FieldrosterError} with 1101 user-not-found, 1402 store-not-bound, and the codes that every operation shares
   */
  unbindUserStore(input: UnbindUserStoreInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const unbindUserStore = {
  name: 'unbind-user-store',
  method: 'DELETE',
  path: '/user/store',
  access: 'write',
  repeatable: false,
  fieldsIn: 'query',
} as const;
