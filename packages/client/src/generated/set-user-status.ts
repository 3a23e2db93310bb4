// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `setUserStatus`. */
export interface SetUserStatusInput {
  /** Id of the user. */
  readonly id?: IdInput | null | undefined;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username?: string | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
  /** A disabled user stays, but the password check refuses it. */
  readonly status: 'active' | 'disabled';
}

export interface SetUserStatus {
  /**
   * Disable a user, or make it active again: `PUT /user/status`. A disabled user stays in the directory with every binding, but the password check refuses it. Either id or username is required.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1101 user-not-found, 1103 user-identifiers-disagree, and the codes that every operation shares
   */
  setUserStatus(input: SetUserStatusInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const setUserStatus = {
  name: 'set-user-status',
  method: 'PUT',
  path: '/user/status',
  access: 'manage',
  repeatable: true,
  fieldsIn: 'body',
  takes: { id: true, if_revision: true },
} as const;
