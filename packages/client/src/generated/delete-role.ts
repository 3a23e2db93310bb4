// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `deleteRole`. */
export interface DeleteRoleInput {
  /** Id of the role. */
  readonly id: IdInput;
  /** Unbind the users who are bound to it, at most 50000. */
  readonly force?: boolean | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteRole {
  /**
   * Delete a role: `DELETE /role`. Removes the role. While users are bound to it, the server refuses that and says how many there are. With force, it unbinds them, and leaves an audit row for each.
   *
   * @throws {FieldrosterError} with 1017 changed-meanwhile, 1201 role-not-found, 1203 role-in-use, and the codes that every operation shares
   */
  deleteRole(input: DeleteRoleInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const deleteRole = {
  name: 'delete-role',
  method: 'DELETE',
  path: '/role',
  access: 'manage',
  repeatable: false,
  fieldsIn: 'query',
} as const;
