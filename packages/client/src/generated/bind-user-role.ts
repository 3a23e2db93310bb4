// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `bindUserRole` takes. */
export interface BindUserRoleInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Id of the role. */
  readonly role_id: IdInput;
}

export interface BindUserRole {
  /**
   * Bind a user to a role: `POST /user/role`. Binds the user to the role, in place of the role bound before. Binding the same role again succeeds.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, 1101 user-not-found, 1201 role-not-found, and the codes that every operation shares
   */
  bindUserRole(input: BindUserRoleInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const bindUserRole = {
  name: 'bind-user-role',
  method: 'POST',
  path: '/user/role',
  access: 'write',
  fieldsIn: 'body',
  takes: { user_id: true, role_id: true },
} as const;
