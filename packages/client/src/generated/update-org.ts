// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `updateOrg` takes. */
export interface UpdateOrgInput {
  /** Id of the organization. */
  readonly id: IdInput;
  /** Name of the organization; at most 255 characters. */
  readonly name?: string | null | undefined;
  /** Id of the parent organization; 0 at the root. */
  readonly parent_id?: IdInput | null | undefined;
  /** Apply the change only if this is still the revision; left out: in any case. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface UpdateOrg {
  /**
   * Update an organization: `PUT /org`. Changes the fields that are sent; one that is left out or null stays as it is. With another parent the organization moves there with everything below it; a parent below itself is refused.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1301 organization-not-found, 1305 organization-cycle, and the codes that every operation shares
   */
  updateOrg(input: UpdateOrgInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const updateOrg = {
  name: 'update-org',
  method: 'PUT',
  path: '/org',
  access: 'manage',
  fieldsIn: 'body',
  takes: { id: true, parent_id: true, if_revision: true },
} as const;
