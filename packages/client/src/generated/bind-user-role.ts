// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `bindUserRole`. */
export interface BindUserRoleInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Id of the role. */
  readonly role_id: IdInput;
}

export interface BindUserRole {
  /**
   * Bind a user to a role: `POST /user/role`. Binds the user to the role, replacing the previous one. Binding the same role again succeeds.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1101 user-not-found, 1201 role-not-found, and the codes that every operation shares
   */
  bindUserRole(input: BindUserRoleInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const bindUserRole = {
  name: 'bind-user-role',
  method: 'POST',
  path: '/user/role',
  access: 'write',
  repeatable: true,
  fieldsIn: 'body',
  takes: { user_id: true, role_id: true },
} as const;
