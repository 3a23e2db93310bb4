// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `listStores` takes. */
export interface ListStoresInput {
  /** next_cursor of the page before; left out: the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Entries of the page at most; 50 when left out. */
  readonly limit?: number | null | undefined;
}

/** What `listStores` answers. */
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
  /** Send it as cursor for the page after this one; empty on the last page. */
  next_cursor: string;
}

export interface ListStores<Id = bigint> {
  /**
   * List stores: `GET /stores`. Answers the stores of the tenant, ordered by code, page by page.
   *
   * @throws {FieldrosterError} the codes that every operation shares
   */
  listStores(input: ListStoresInput, options?: CallOptions): Promise<ListStoresData<Id>>;
}

/** One of what `stores` goes over. */
export type StoreEntry<Id = bigint> = ListStoresData<Id>['stores'][number];

export interface Stores<Id = bigint> {
  /**
   * Every entry of `listStores`, page after page, each page asked for when the one before is used up. `limit` is the
   * size of a page, the largest by default. An abort of the signal ends it with the signal's reason.
   *
   * @throws {FieldrosterError} as `listStores`
   */
  stores(
    input?: Omit<ListStoresInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<StoreEntry<Id>, void, undefined>;
}

/** How it is sent and answered. */
export const listStores = {
  name: 'list-stores',
  method: 'GET',
  path: '/stores',
  access: 'read',
  fieldsIn: 'query',
  answer: { stores: { revision: true } },
} as const;
