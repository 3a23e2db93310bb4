// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `deleteRole` takes. */
export interface DeleteRoleInput {
  /** Id of the role. */
  readonly id: IdInput;
  /** Unbind the users that are bound to it. */
  readonly force?: boolean | null | undefined;
  /** Apply the change only if this is still the revision; left out: in any case. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteRole {
  /**
   * Delete a role: `DELETE /role`. Removes the role. Users who are bound to it are in the way, and the refusal tells how many they are; with force they are unbound, each with an audit row.
   *
   * @throws {FieldrosterError} 1017 changed-meanwhile, 1201 role-not-found, 1203 role-in-use, and the codes that every operation shares
   */
  deleteRole(input: DeleteRoleInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const deleteRole = {
  name: 'delete-role',
  method: 'DELETE',
  path: '/role',
  access: 'manage',
  fieldsIn: 'query',
} as const;
