// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `createRole`. */
export interface CreateRoleInput {
  /** Name of the role; at most 255 characters. */
  readonly name: string;
  /** Id of the role, above 0; the server assigns one in place of 0. */
  readonly id?: IdInput | null | undefined;
  /** Id of the system that the role belongs to. */
  readonly system_id?: IdInput | null | undefined;
  /** Position among the roles. */
  readonly order?: number | null | undefined;
  /** What the role is for; at most 1000 characters. */
  readonly description?: string | null | undefined;
  /** Code of the role; at most 255 characters. */
  readonly code?: string | null | undefined;
}

/** Result of `createRole`. */
export interface CreateRoleData<Id = bigint> {
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

export interface CreateRole<Id = bigint> {
  /**
   * Create a role: `POST /role`. Creates the role and returns it. If the id is left out or 0, the server assigns one more than the largest or, if that is 9223372036854775807, the smallest that is free.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1204 role-id-taken, and the codes that every operation shares
   */
  createRole(input: CreateRoleInput, options?: CallOptions): Promise<CreateRoleData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const createRole = {
  name: 'create-role',
  method: 'POST',
  path: '/role',
  access: 'manage',
  repeatable: false,
  fieldsIn: 'body',
  takes: { id: true, system_id: true },
  answer: { id: true, system_id: true, revision: true },
} as const;
