// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `upsertStores` takes. */
export interface UpsertStoresInput {
  /** Stores, each code once. */
  readonly stores: readonly {
    /** Code of the store; at most 100 characters. */
    readonly code: string;
    /** Name of the store; at most 255 characters. */
    readonly name: string;
    /** Address of the store; at most 1000 characters. */
    readonly address?: string | null | undefined;
  }[];
}

/** What `upsertStores` answers. */
export interface UpsertStoresData {
  /** Stores created. */
  created: number;
  /** Stores changed. */
  updated: number;
  /** Stores that were so already. */
  unchanged: number;
}

export interface UpsertStores {
  /**
   * Create or update many stores: `POST /stores`. The code decides: a store that has it is updated, else one is created. All of it happens, or none. An address that is left out stays as it is; a store that says nothing new is not written.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, and the codes that every operation shares
   */
  upsertStores(input: UpsertStoresInput, options?: CallOptions): Promise<UpsertStoresData>;
}

/** How it is sent and answered. */
export const upsertStores = {
  name: 'upsert-stores',
  method: 'POST',
  path: '/stores',
  access: 'manage',
  fieldsIn: 'body',
  answer: {},
} as const;
