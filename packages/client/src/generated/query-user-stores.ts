// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `queryUserStores`. */
export interface QueryUserStoresInput {
  /** Id of the user. */
  readonly user_id: IdInput;
}

/** Result of `queryUserStores`. */
export interface QueryUserStoresData {
  stores: {
    /** Code of the store. */
    code: string;
    /** Name of the store. */
    name: string;
    /** Address of the store. */
    address: string;
  }[];
}

export interface QueryUserStores {
  /**
   * Query the stores of a user: `GET /user/store`. Returns the stores of a sales representative, ordered by code; an empty array if the user has none.
   *
   * @throws {FieldrosterError} with 1101 user-not-found, and the codes that every operation shares
   */
  queryUserStores(input: QueryUserStoresInput, options?: CallOptions): Promise<QueryUserStoresData>;
}

/** Its route, and the int64 values of its input and answer. */
export const queryUserStores = {
  name: 'query-user-stores',
  method: 'GET',
  path: '/user/store',
  access: 'read',
  fieldsIn: 'query',
  answer: {},
} as const;
