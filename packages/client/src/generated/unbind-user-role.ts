// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `unbindUserRole`. */
export interface UnbindUserRoleInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Id of the role. */
  readonly role_id: IdInput;
}

export interface UnbindUserRole {
  /**
   * Unbind a user from a role: `DELETE /user/role`. Removes the binding. If the user is not bound to the role, the answer is an error, so the caller learns that nothing was removed.
   *
   * @throws {FieldrosterError} with 1101 user-not-found, 1202 role-not-bound, and the codes that every operation shares
   */
  unbindUserRole(input: UnbindUserRoleInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const unbindUserRole = {
  name: 'unbind-user-role',
  method: 'DELETE',
  path: '/user/role',
  access: 'write',
  repeatable: false,
  fieldsIn: 'query',
} as const;
