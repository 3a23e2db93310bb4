// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `queryUserStores` takes. */
export interface QueryUserStoresInput {
  /** Id of the user. */
  readonly user_id: IdInput;
}

/** What `queryUserStores` answers. */
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
   * Query the stores of a user: `GET /user/store`. Answers the stores of a sales representative, ordered by code; an empty array when there are none.
   *
   * @throws {FieldrosterError} 1101 user-not-found, and the codes that every operation shares
   */
  queryUserStores(input: QueryUserStoresInput, options?: CallOptions): Promise<QueryUserStoresData>;
}

/** How it is sent and answered. */
export const queryUserStores = {
  name: 'query-user-stores',
  method: 'GET',
  path: '/user/store',
  access: 'read',
  fieldsIn: 'query',
  answer: {},
} as const;
