// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `queryUser`. */
export interface QueryUserInput {
  /** Id of the user. */
  readonly user_id?: IdInput | null | undefined;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username?: string | null | undefined;
}

/** Result of `queryUser`. */
export interface QueryUserData<Id = bigint> {
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
}

export interface QueryUser<Id = bigint> {
  /**
   * Query a user: `GET /user`. Returns a user with its role and organization. Either user_id or username is required; if both are sent, they must identify the same user. The ETag header of the answer has the revision of the user, in quotes: ETag: "3" is the if_revision 3 of an update. The status of the user is not in this answer; list-users and list-store-users return it. A search of list-users for the username may find other users too.
   *
   * @throws {FieldrosterError} with 1101 user-not-found, 1103 user-identifiers-disagree, and the codes that every operation shares
   */
  queryUser(input: QueryUserInput, options?: CallOptions): Promise<QueryUserData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const queryUser = {
  name: 'query-user',
  method: 'GET',
  path: '/user',
  access: 'read',
  fieldsIn: 'query',
  answer: { id: true, roles: { id: true, system_id: true }, orgs: { id: true, parent_id: true } },
} as const;
