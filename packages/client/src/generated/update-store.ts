// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `updateStore`. */
export interface UpdateStoreInput {
  /** Code of a store. */
  readonly code: string;
  /** Name of the store; if empty, it stays as it is; at most 255 characters. */
  readonly name?: string | null | undefined;
  /** Address of the store; at most 1000 characters. */
  readonly address?: string | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface UpdateStore {
  /**
   * Update a store: `PUT /store`. Changes the fields that are sent. A field that is left out or null stays as it is; an empty string clears a field that may be empty.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1401 store-not-found, and the codes that every operation shares
   */
  updateStore(input: UpdateStoreInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const updateStore = {
  name: 'update-store',
  method: 'PUT',
  path: '/store',
  access: 'manage',
  repeatable: true,
  fieldsIn: 'body',
  takes: { if_revision: true },
} as const;
