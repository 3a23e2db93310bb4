// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `deleteOrg`. */
export interface DeleteOrgInput {
  /** Id of the organization. */
  readonly id: IdInput;
  /** Unbind the users who are bound to it, at most 50000. */
  readonly force?: boolean | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteOrg {
  /**
   * Delete an organization: `DELETE /org`. Removes the organization. While users are bound to it, or other organizations are directly below it, the server refuses that and says how many of each there are. With force, it unbinds the users, and leaves an audit row for each. It never removes organizations below another one.
   *
   * @throws {FieldrosterError} with 1017 changed-meanwhile, 1301 organization-not-found, 1303 organization-in-use, and the codes that every operation shares
   */
  deleteOrg(input: DeleteOrgInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const deleteOrg = {
  name: 'delete-org',
  method: 'DELETE',
  path: '/org',
  access: 'manage',
  repeatable: false,
  fieldsIn: 'query',
} as const;
