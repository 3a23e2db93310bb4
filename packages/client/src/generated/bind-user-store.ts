// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `bindUserStore`. */
export interface BindUserStoreInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Code of a store. */
  readonly store_code: string;
}

export interface BindUserStore {
  /**
   * Bind a user to a store: `POST /user/store`. Makes the user a sales representative of the store, in addition to the stores already bound. Binding the same store again succeeds.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1101 user-not-found, 1401 store-not-found, and the codes that every operation shares
   */
  bindUserStore(input: BindUserStoreInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const bindUserStore = {
  name: 'bind-user-store',
  method: 'POST',
  path: '/user/store',
  access: 'write',
  repeatable: true,
  fieldsIn: 'body',
  takes: { user_id: true },
} as const;
