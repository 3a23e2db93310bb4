// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `deleteStore` takes. */
export interface DeleteStoreInput {
  /** Code of a store. */
  readonly code: string;
  /** Unbind the users that are bound to it. */
  readonly force?: boolean | null | undefined;
  /** Apply the change only if this is still the revision; left out: in any case. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteStore {
  /**
   * Delete a store: `DELETE /store`. Removes the store. Users who are bound to it are in the way, and the refusal tells how many they are; with force they are unbound, each with an audit row.
   *
   * @throws {FieldrosterError} 1017 changed-meanwhile, 1401 store-not-found, 1403 store-in-use, and the codes that every operation shares
   */
  deleteStore(input: DeleteStoreInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const deleteStore = {
  name: 'delete-store',
  method: 'DELETE',
  path: '/store',
  access: 'manage',
  fieldsIn: 'query',
} as const;
