// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `deleteStore`. */
export interface DeleteStoreInput {
  /** Code of a store. */
  readonly code: string;
  /** Unbind the users who are bound to it, at most 50000. */
  readonly force?: boolean | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteStore {
  /**
   * Delete a store: `DELETE /store`. Removes the store. While users are bound to it, the server refuses that and says how many there are. With force, it unbinds them, and leaves an audit row for each.
   *
   * @throws {FieldrosterError} with 1017 changed-meanwhile, 1401 store-not-found, 1403 store-in-use, and the codes that every operation shares
   */
  deleteStore(input: DeleteStoreInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const deleteStore = {
  name: 'delete-store',
  method: 'DELETE',
  path: '/store',
  access: 'manage',
  repeatable: false,
  fieldsIn: 'query',
} as const;
