// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `queryStore` takes. */
export interface QueryStoreInput {
  /** Code of a store. */
  readonly code: string;
}

/** What `queryStore` answers. */
export interface QueryStoreData<Id = bigint> {
  /** Code of the store. */
  code: string;
  /** Name of the store. */
  name: string;
  /** Address of the store. */
  address: string;
  /** Grows with every change. */
  revision: Id;
}

export interface QueryStore<Id = bigint> {
  /**
   * Query a store: `GET /store`. Answers the store with its revision.
   *
   * @throws {FieldrosterError} 1401 store-not-found, and the codes that every operation shares
   */
  queryStore(input: QueryStoreInput, options?: CallOptions): Promise<QueryStoreData<Id>>;
}

/** How it is sent and answered. */
export const queryStore = {
  name: 'query-store',
  method: 'GET',
  path: '/store',
  access: 'read',
  fieldsIn: 'query',
  answer: { revision: true },
} as const;
