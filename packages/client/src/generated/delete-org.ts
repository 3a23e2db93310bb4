// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `deleteOrg` takes. */
export interface DeleteOrgInput {
  /** Id of the organization. */
  readonly id: IdInput;
  /** Unbind the users that are bound to it. */
  readonly force?: boolean | null | undefined;
  /** Apply the change only if this is still the revision; left out: in any case. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface DeleteOrg {
  /**
   * Delete an organization: `DELETE /org`. Removes the organization. Users who are bound to it and organizations directly below it are in the way, and the refusal tells how many of each there are. With force the users are unbound, each with an audit row; organizations below are never removed with it.
   *
   * @throws {FieldrosterError} 1017 changed-meanwhile, 1301 organization-not-found, 1303 organization-in-use, and the codes that every operation shares
   */
  deleteOrg(input: DeleteOrgInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const deleteOrg = {
  name: 'delete-org',
  method: 'DELETE',
  path: '/org',
  access: 'manage',
  fieldsIn: 'query',
} as const;
