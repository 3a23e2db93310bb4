// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `listStoreUsers` takes. */
export interface ListStoreUsersInput {
  /** Code of a store. */
  readonly store_code: string;
  /** next_cursor of the page before; left out: the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Entries of the page at most; 50 when left out. */
  readonly limit?: number | null | undefined;
}

/** What `listStoreUsers` answers. */
export interface ListStoreUsersData<Id = bigint> {
  users: {
    /** Id of the user. */
    id: Id;
    /** Login name. */
    username: string;
    /** Name of the person. */
    real_name: string;
    /** Telephone number; no form is enforced. */
    phone: string;
    /** A disabled user stays, and the password check refuses it. */
    status: 'active' | 'disabled';
  }[];
  /** Send it as cursor for the page after this one; empty on the last page. */
  next_cursor: string;
}

export interface ListStoreUsers<Id = bigint> {
  /**
   * List who looks after a store: `GET /store/users`. Answers the sales representatives of a store, ordered by id, page by page.
   *
   * @throws {FieldrosterError} 1401 store-not-found, and the codes that every operation shares
   */
  listStoreUsers(input: ListStoreUsersInput, options?: CallOptions): Promise<ListStoreUsersData<Id>>;
}

/** One of what `storeUsers` goes over. */
export type StoreUserEntry<Id = bigint> = ListStoreUsersData<Id>['users'][number];

export interface StoreUsers<Id = bigint> {
  /**
   * Every entry of `listStoreUsers`, page after page, each page asked for when the one before is used up. `limit` is the
   * size of a page, the largest by default. An abort of the signal ends it with the signal's reason.
   *
   * @throws {FieldrosterError} as `listStoreUsers`
   */
  storeUsers(
    input: Omit<ListStoreUsersInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<StoreUserEntry<Id>, void, undefined>;
}

/** How it is sent and answered. */
export const listStoreUsers = {
  name: 'list-store-users',
  method: 'GET',
  path: '/store/users',
  access: 'read',
  fieldsIn: 'query',
  answer: { users: { id: true } },
} as const;
