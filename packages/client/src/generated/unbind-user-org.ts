// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `unbindUserOrg`. */
export interface UnbindUserOrgInput {
  /** Id of the user. */
  readonly user_id: IdInput;
  /** Id of the organization. */
  readonly org_id: IdInput;
}

export interface UnbindUserOrg {
  /**
   * Unbind a user from an organization: `DELETE /user/org`. Removes the binding. If the user is not bound to the organization, the answer is an error, so the caller learns that nothing was removed.
   *
   * @throws {FieldrosterError} with 1101 user-not-found, 1302 organization-not-bound, and the codes that every operation shares
   */
  unbindUserOrg(input: UnbindUserOrgInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const unbindUserOrg = {
  name: 'unbind-user-org',
  method: 'DELETE',
  path: '/user/org',
  access: 'write',
  repeatable: false,
  fieldsIn: 'query',
} as const;
