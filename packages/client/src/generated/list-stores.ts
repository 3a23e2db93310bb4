// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `listStores`. */
export interface ListStoresInput {
  /** next_cursor of the previous page; left out or empty for the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Largest number of entries on a page; 50 if left out. */
  readonly limit?: number | null | undefined;
}

/** Result of `listStores`. */
export interface ListStoresData<Id = bigint> {
  stores: {
    /** Code of the store. */
    code: string;
    /** Name of the store. */
    name: string;
    /** Address of the store. */
    address: string;
    /** Grows with every change. */
    revision: Id;
  }[];
  /** The cursor of the next page; empty on the last page. */
  next_cursor: string;
}

export interface ListStores<Id = bigint> {
  /**
   * List stores: `GET /stores`. Returns the stores of the tenant, ordered by code, page by page.
   *
   * @throws {FieldrosterError} with the codes that every operation shares
   */
  listStores(input: ListStoresInput, options?: CallOptions): Promise<ListStoresData<Id>>;
}

/** An entry that `stores` yields. */
export type StoreEntry<Id = bigint> = ListStoresData<Id>['stores'][number];

export interface Stores<Id = bigint> {
  /**
   * Iterates over every entry of `listStores`, and requests each page when the previous one is used up. `limit` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as `listStores`
   */
  stores(
    input?: Omit<ListStoresInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<StoreEntry<Id>, void, undefined>;
}

/** Its route, and the int64 values of its input and answer. */
export const listStores = {
  name: 'list-stores',
  method: 'GET',
  path: '/stores',
  access: 'read',
  fieldsIn: 'query',
  answer: { stores: { revision: true } },
} as const;
