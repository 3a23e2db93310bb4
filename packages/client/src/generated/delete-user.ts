// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `deleteUser`. */
export interface DeleteUserInput {
  /** Id of the user. */
  readonly user_id?: IdInput | null | undefined;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username?: string | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteUser {
  /**
   * Delete a user: `DELETE /user`. Removes the user and every binding. Either user_id or username is required; if both are sent, they must identify the same user. The id is never reused. Only the scope manage may delete a disabled user (1016).
   *
   * @throws {FieldrosterError} with 1017 changed-meanwhile, 1101 user-not-found, 1103 user-identifiers-disagree, and the codes that every operation shares
   */
  deleteUser(input: DeleteUserInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const deleteUser = {
  name: 'delete-user',
  method: 'DELETE',
  path: '/user',
  access: 'write',
  repeatable: false,
  fieldsIn: 'query',
} as const;
