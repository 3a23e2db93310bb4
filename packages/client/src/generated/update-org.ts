// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `updateOrg`. */
export interface UpdateOrgInput {
  /** Id of the organization. */
  readonly id: IdInput;
  /** Name of the organization; if empty, it stays as it is; at most 255 characters. */
  readonly name?: string | null | undefined;
  /** Id of the parent organization; 0 at the root. */
  readonly parent_id?: IdInput | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface UpdateOrg {
  /**
   * Update an organization: `PUT /org`. Changes the fields that are sent; a field that is left out or null stays as it is. Another parent_id moves the organization there, with everything below it. The server refuses a parent that is below the organization, and one that would give the tree more than 100 levels.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1301 organization-not-found, 1305 organization-cycle, and the codes that every operation shares
   */
  updateOrg(input: UpdateOrgInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const updateOrg = {
  name: 'update-org',
  method: 'PUT',
  path: '/org',
  access: 'manage',
  repeatable: true,
  fieldsIn: 'body',
  takes: { id: true, parent_id: true, if_revision: true },
} as const;
