// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `setUserStatus` takes. */
export interface SetUserStatusInput {
  /** Id of the user. */
  readonly id?: IdInput | null | undefined;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username?: string | null | undefined;
  /** Apply the change only if this is still the revision; left out: in any case. */
  readonly if_revision?: IdInput | null | undefined;
  /** A disabled user stays, and the password check refuses it. */
  readonly status: 'active' | 'disabled';
}

export interface SetUserStatus {
  /**
   * Disable a user, or make it active again: `PUT /user/status`. A disabled user stays where it is, with every binding; the password check refuses it. One of id and username is required.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1101 user-not-found, 1103 user-identifiers-disagree, and the codes that every operation shares
   */
  setUserStatus(input: SetUserStatusInput, options?: CallOptions): Promise<void>;
}

/** How it is sent and answered. */
export const setUserStatus = {
  name: 'set-user-status',
  method: 'PUT',
  path: '/user/status',
  access: 'manage',
  fieldsIn: 'body',
  takes: { id: true, if_revision: true },
} as const;
