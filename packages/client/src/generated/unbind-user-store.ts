// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `unbindUserStore` takes. */
export interface UnbindUserStoreInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Code of a store. */
  readonly store_code: string;
}

export interface UnbindUserStore {
  /**
   * Unbind a user from a store: `DELETE /user/store`. Removes the binding. A store that is not bound is an error, so that a removal that did nothing is told.
   *
   * @throws {FieldrosterError} 1101 user-not-found, 1402 store-not-bound, and the codes that every operation shares
   */
  unbindUserStore(input: UnbindUserStoreInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const unbindUserStore = {
  name: 'unbind-user-store',
  method: 'DELETE',
  path: '/user/store',
  access: 'write',
  fieldsIn: 'query',
} as const;
