// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `bindUserOrg`. */
export interface BindUserOrgInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Id of the organization. */
  readonly org_id: IdInput;
}

export interface BindUserOrg {
  /**
   * Bind a user to an organization: `POST /user/org`. Binds the user to the organization, replacing the previous one. Binding the same organization again succeeds.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1101 user-not-found, 1301 organization-not-found, and the codes that every operation shares
   */
  bindUserOrg(input: BindUserOrgInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const bindUserOrg = {
  name: 'bind-user-org',
  method: 'POST',
  path: '/user/org',
  access: 'write',
  repeatable: true,
  fieldsIn: 'body',
  takes: { user_id: true, org_id: true },
} as const;
