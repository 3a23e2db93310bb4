// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `updateRole`. */
export interface UpdateRoleInput {
  /** Id of the role. */
  readonly id: IdInput;
  /** Name of the role; if empty, it stays as it is; at most 255 characters. */
  readonly name?: string | null | undefined;
  /** Id of the system that the role belongs to. */
  readonly system_id?: IdInput | null | undefined;
  /** Position among the roles. */
  readonly order?: number | null | undefined;
  /** What the role is for; at most 1000 characters. */
  readonly description?: string | null | undefined;
  /** Code of the role; at most 255 characters. */
  readonly code?: string | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface UpdateRole {
  /**
   * Update a role: `PUT /role`. Changes the fields that are sent. A field that is left out or null stays as it is; an empty string clears a field that may be empty.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1201 role-not-found, and the codes that every operation shares
   */
  updateRole(input: UpdateRoleInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const updateRole = {
  name: 'update-role',
  method: 'PUT',
  path: '/role',
  access: 'manage',
  repeatable: true,
  fieldsIn: 'body',
  takes: { id: true, system_id: true, if_revision: true },
} as const;
