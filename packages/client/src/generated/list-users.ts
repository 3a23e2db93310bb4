// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `listUsers`. */
export interface ListUsersInput {
  /** Part of the username, real_name, nickname, phone, email or unique_code, ignoring case; at most 100 characters. */
  readonly search?: string | null | undefined;
  /** Bound to this role. */
  readonly role_id?: IdInput | null | undefined;
  /** Bound to this organization. */
  readonly org_id?: IdInput | null | undefined;
  /** Also those bound to organizations below org_id; only together with org_id. */
  readonly include_children?: boolean | null | undefined;
  /** Code of a store. */
  readonly store_code?: string | null | undefined;
  /** Exactly this department; at most 100 characters. */
  readonly department?: string | null | undefined;
  /** Bound to no role, no organization or no store. */
  readonly unbound?: 'role' | 'org' | 'store' | null | undefined;
  /** Users with this status. */
  readonly status?: 'active' | 'disabled' | null | undefined;
  /** Changed at this moment or later, by the server’s clock, in Unix milliseconds. */
  readonly updated_since?: IdInput | null | undefined;
  /** next_cursor of the previous page; left out or empty for the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Largest number of entries on a page; 50 if left out. */
  readonly limit?: number | null | undefined;
}

/** Result of `listUsers`. */
export interface ListUsersData<Id = bigint> {
  users: {
    /** Id of the user. */
    id: Id;
    /** Login name. */
    username: string;
    /** Name of the person. */
    real_name: string;
    /** Name to show. */
    nickname: string;
    /** 0 = not given, 1 = male, 2 = female. */
    gender: 0 | 1 | 2;
    /** Email address; its format is not checked. */
    email: string;
    /** Telephone number; its format is not checked. */
    phone: string;
    /** Department. */
    department: string;
    /** URL of a picture. */
    avatar: string;
    /** A code that the caller chooses, such as an employee number. */
    unique_code: string;
    /** The role that is bound, or none. */
    roles: {
      /** Id of the role. */
      id: Id;
      /** Name of the role. */
      name: string;
      /** Id of the system that the role belongs to. */
      system_id: Id;
      /** Position among the roles. */
      order: number;
      /** What the role is for. */
      description: string;
      /** Code of the role. */
      code?: string;
    }[];
    /** The organization that is bound, or none. */
    orgs: {
      /** Id of the organization. */
      id: Id;
      /** Name of the organization. */
      name: string;
      /** Id of the parent organization; 0 at the root. */
      parent_id: Id;
    }[];
    /** A disabled user stays, but the password check refuses it. */
    status: 'active' | 'disabled';
    /** Grows with every change. */
    revision: Id;
    /** When the user was created, in Unix milliseconds. */
    created_at: Id;
    /** When the user or a binding last changed, in Unix milliseconds. */
    updated_at: Id;
  }[];
  /** The cursor of the next page; empty on the last page. */
  next_cursor: string;
}

export interface ListUsers<Id = bigint> {
  /**
   * List and search users: `GET /users`. Returns the users that match every filter, page by page. They are ordered by id or, with updated_since and none of search, role_id, org_id, store_code and department, by updated_at and then by id. A page may have fewer entries than its limit, or none, while more follow: only an empty next_cursor ends the list. Send the same filters with every cursor. To keep a copy in step, set updated_since to ten minutes before the previous list began, by the Date header of its first page: a change has the time at which its write began, but becomes visible only when the write ends, which takes minutes for the largest batch. A user that changes while a list is read appears in that list or in the next one. A user that was removed is in no list: GET /audit?operation=delete-user names the ids of deleted users, and GET /audit?operation=user%20erase those of users that the operator erased. Read both. Renaming a role or an organization, or moving an organization, changes no user: read those lists too. After the operator has restored a backup, list everything again without updated_since.
   *
   * @throws {FieldrosterError} with 1201 role-not-found, 1301 organization-not-found, 1401 store-not-found, and the codes that every operation shares
   */
  listUsers(input: ListUsersInput, options?: CallOptions): Promise<ListUsersData<Id>>;
}

/** An entry that `users` yields. */
export type UserEntry<Id = bigint> = ListUsersData<Id>['users'][number];

export interface Users<Id = bigint> {
  /**
   * Iterates over every entry of `listUsers`, and requests each page when the previous one is used up. `limit` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as `listUsers`
   */
  users(
    input?: Omit<ListUsersInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<UserEntry<Id>, void, undefined>;
}

/** Its route, and the int64 values of its input and answer. */
export const listUsers = {
  name: 'list-users',
  method: 'GET',
  path: '/users',
  access: 'read',
  fieldsIn: 'query',
  answer: {
    users: {
      id: true,
      roles: { id: true, system_id: true },
      orgs: { id: true, parent_id: true },
      revision: true,
      created_at: true,
      updated_at: true,
    },
  },
} as const;
