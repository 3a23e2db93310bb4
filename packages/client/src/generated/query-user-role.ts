// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `queryUserRole`. */
export interface QueryUserRoleInput {
  /** Id of the user. */
  readonly user_id: IdInput;
}

/** Result of `queryUserRole`. */
export interface QueryUserRoleData<Id = bigint> {
  /** Id of the user. */
  user_id: Id;
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
}

export interface QueryUserRole<Id = bigint> {
  /**
   * Query the role of a user: `GET /user/role`. Returns the role that the user is bound to; an empty array if the user has none.
   *
   * @throws {FieldrosterError} with 1101 user-not-found, and the codes that every operation shares
   */
  queryUserRole(input: QueryUserRoleInput, options?: CallOptions): Promise<QueryUserRoleData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const queryUserRole = {
  name: 'query-user-role',
  method: 'GET',
  path: '/user/role',
  access: 'read',
  fieldsIn: 'query',
  answer: { user_id: true, roles: { id: true, system_id: true } },
} as const;
