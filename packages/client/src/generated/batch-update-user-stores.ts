// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `batchUpdateUserStores`. */
export interface BatchUpdateUserStoresInput {
  /** Login name: unique within the tenant, compared exactly, never renamed; a new one may not contain zero-width spaces or bidirectional controls; at most 50 characters. */
  readonly username: string;
  /** Name of the person; at most 100 characters. */
  readonly real_name?: string | null | undefined;
  /** Password; stored as an argon2id hash only; at most 200 characters. */
  readonly password?: string | null | undefined;
  /** Telephone number; its format is not checked; at most 255 characters. */
  readonly phone?: string | null | undefined;
  /** Department; at most 100 characters. */
  readonly department?: string | null | undefined;
  /** Free-form information; JSON is recommended; at most 1000 characters. */
  readonly ext_info?: string | null | undefined;
  /** Codes of the stores; duplicates count once. */
  readonly store_codes?: readonly string[] | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

/** Result of `batchUpdateUserStores`. */
export interface BatchUpdateUserStoresData<Id = bigint> {
  /** Id of the user. */
  id: Id;
  /** Login name. */
  username: string;
}

export interface BatchUpdateUserStores<Id = bigint> {
  /**
   * Create or update a user and replace its stores: `POST /user/stores`. The username decides: an existing user is updated, otherwise one is created. If store_codes is left out or null, the bindings stay as they are; an empty array removes them all; any other array replaces them. Either all of this happens or none.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1401 store-not-found, and the codes that every operation shares
   */
  batchUpdateUserStores(
    input: BatchUpdateUserStoresInput,
    options?: CallOptions,
  ): Promise<BatchUpdateUserStoresData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const batchUpdateUserStores = {
  name: 'batch-update-user-stores',
  method: 'POST',
  path: '/user/stores',
  access: 'write',
  repeatable: true,
  fieldsIn: 'body',
  takes: { if_revision: true },
  answer: { id: true },
} as const;
