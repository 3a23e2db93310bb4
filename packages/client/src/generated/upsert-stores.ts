// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `upsertStores`. */
export interface UpsertStoresInput {
  /** Stores; each code may appear once. */
  readonly stores: readonly {
    /** Code of the store; a new one may not contain the beginning of another query parameter, such as &user_id=; at most 100 characters. */
    readonly code: string;
    /** Name of the store; at most 255 characters. */
    readonly name: string;
    /** Address of the store; at most 1000 characters. */
    readonly address?: string | null | undefined;
  }[];
  /** Report what would happen, and change nothing. */
  readonly dry_run?: boolean | null | undefined;
}

/** Result of `upsertStores`. */
export interface UpsertStoresData {
  /** False for a dry run, true otherwise, even if every store was unchanged. */
  applied: boolean;
  /** Stores created; in a dry run, those that would have been. */
  created: number;
  /** Stores changed; in a dry run, those that would have been. */
  updated: number;
  /** Stores that needed no change. */
  unchanged: number;
}

export interface UpsertStores {
  /**
   * Create or update many stores: `POST /stores`. The code decides: an existing store is updated, otherwise one is created. Either all entries take effect or none. An address that is left out stays as it is; a store that would not change is not written. A dry run answers the same counts and changes nothing. It does not count as processed, so the same signed request may be sent again.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, and the codes that every operation shares
   */
  upsertStores(input: UpsertStoresInput, options?: CallOptions): Promise<UpsertStoresData>;
}

/** Its route, and the int64 values of its input and answer. */
export const upsertStores = {
  name: 'upsert-stores',
  method: 'POST',
  path: '/stores',
  access: 'manage',
  repeatable: true,
  dryRun: true,
  fieldsIn: 'body',
  answer: {},
} as const;
