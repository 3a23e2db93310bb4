// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `bindUserOrg` takes. */
export interface BindUserOrgInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Id of the organization. */
  readonly org_id: IdInput;
}

export interface BindUserOrg {
  /**
   * Bind a user to an organization: `POST /user/org`. Binds the user to the organization, in place of the one bound before. Binding the same one again succeeds.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, 1101 user-not-found, 1301 organization-not-found, and the codes that every operation shares
   */
  bindUserOrg(input: BindUserOrgInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const bindUserOrg = {
  name: 'bind-user-org',
  method: 'POST',
  path: '/user/org',
  access: 'write',
  fieldsIn: 'body',
  takes: { user_id: true, org_id: true },
} as const;
