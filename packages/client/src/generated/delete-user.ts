// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `deleteUser` takes. */
export interface DeleteUserInput {
  /** Id of the user. */
  readonly user_id?: IdInput | null | undefined;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username?: string | null | undefined;
  /** Apply the change only if this is still the revision; left out: in any case. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteUser {
  /**
   * Delete a user: `DELETE /user`. Removes the user and every binding. One of user_id and username is required; if both are sent they must be the same user’s. The id is never given to anyone else. A disabled user can only be deleted with the scope manage (1016).
   *
   * @throws {FieldrosterError} 1017 changed-meanwhile, 1101 user-not-found, 1103 user-identifiers-disagree, and the codes that every operation shares
   */
  deleteUser(input: DeleteUserInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const deleteUser = {
  name: 'delete-user',
  method: 'DELETE',
  path: '/user',
  access: 'write',
  fieldsIn: 'query',
} as const;
