// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `queryRole`. */
export interface QueryRoleInput {
  /** Id of the role. */
  readonly id: IdInput;
}

/** Result of `queryRole`. */
export interface QueryRoleData<Id = bigint> {
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
  /** Grows with every change. */
  revision: Id;
}

export interface QueryRole<Id = bigint> {
  /**
   * Query a role: `GET /role`. Returns the role with its revision.
   *
   * @throws {FieldrosterError} with 1201 role-not-found, and the codes that every operation shares
   */
  queryRole(input: QueryRoleInput, options?: CallOptions): Promise<QueryRoleData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const queryRole = {
  name: 'query-role',
  method: 'GET',
  path: '/role',
  access: 'read',
  fieldsIn: 'query',
  answer: { id: true, system_id: true, revision: true },
} as const;
