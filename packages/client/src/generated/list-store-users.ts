// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `listStoreUsers`. */
export interface ListStoreUsersInput {
  /** Code of a store. */
  readonly store_code: string;
  /** next_cursor of the previous page; left out or empty for the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Largest number of entries on a page; 50 if left out. */
  readonly limit?: number | null | undefined;
}

/** Result of `listStoreUsers`. */
export interface ListStoreUsersData<Id = bigint> {
  users: {
    /** Id of the user. */
    id: Id;
    /** Login name. */
    username: string;
    /** Name of the person. */
    real_name: string;
    /** Telephone number; its format is not checked. */
    phone: string;
    /** A disabled user stays, but the password check refuses it. */
    status: 'active' | 'disabled';
  }[];
  /** The cursor of the next page; empty on the last page. */
  next_cursor: string;
}

export interface ListStoreUsers<Id = bigint> {
  /**
   * List the users of a store: `GET /store/users`. Returns the sales representatives of a store, ordered by id, page by page.
   *
   * @throws {FieldrosterError} with 1401 store-not-found, and the codes that every operation shares
   */
  listStoreUsers(input: ListStoreUsersInput, options?: CallOptions): Promise<ListStoreUsersData<Id>>;
}

/** An entry that `storeUsers` yields. */
export type StoreUserEntry<Id = bigint> = ListStoreUsersData<Id>['users'][number];

export interface StoreUsers<Id = bigint> {
  /**
   * Iterates over every entry of `listStoreUsers`, and requests each page when the previous one is used up. `limit` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as `listStoreUsers`
   */
  storeUsers(
    input: Omit<ListStoreUsersInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<StoreUserEntry<Id>, void, undefined>;
}

/** Its route, and the int64 values of its input and answer. */
export const listStoreUsers = {
  name: 'list-store-users',
  method: 'GET',
  path: '/store/users',
  access: 'read',
  fieldsIn: 'query',
  answer: { users: { id: true } },
} as const;
