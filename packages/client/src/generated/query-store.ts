// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `queryStore`. */
export interface QueryStoreInput {
  /** Code of a store. */
  readonly code: string;
}

/** Result of `queryStore`. */
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
   * Query a store: `GET /store`. Returns the store with its revision.
   *
   * @throws {FieldrosterError} with 1401 store-not-found, and the codes that every operation shares
   */
  queryStore(input: QueryStoreInput, options?: CallOptions): Promise<QueryStoreData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const queryStore = {
  name: 'query-store',
  method: 'GET',
  path: '/store',
  access: 'read',
  fieldsIn: 'query',
  answer: { revision: true },
} as const;
