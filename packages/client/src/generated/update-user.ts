// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `updateUser`. */
export interface UpdateUserInput {
  /** Id of the user. */
  readonly id?: IdInput | null | undefined;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username?: string | null | undefined;
  /** Password; stored as an argon2id hash only; at most 200 characters. */
  readonly password?: string | null | undefined;
  /** Name of the person; at most 100 characters. */
  readonly real_name?: string | null | undefined;
  /** Name to show; at most 100 characters. */
  readonly nickname?: string | null | undefined;
  /** 0 = not given, 1 = male, 2 = female. */
  readonly gender?: 0 | 1 | 2 | null | undefined;
  /** Email address; its format is not checked; at most 255 characters. */
  readonly email?: string | null | undefined;
  /** Telephone number; its format is not checked; at most 255 characters. */
  readonly phone?: string | null | undefined;
  /** Department; at most 100 characters. */
  readonly department?: string | null | undefined;
  /** URL of a picture; at most 250 characters. */
  readonly avatar?: string | null | undefined;
  /** A code that the caller chooses, such as an employee number; at most 50 characters. */
  readonly unique_code?: string | null | undefined;
  /** Apply the change only if this is still the revision; if left out, apply it anyway. */
  readonly if_revision?: IdInput | null | undefined;
}

export interface UpdateUser {
  /**
   * Update a user: `PUT /user`. Changes the fields that are sent. Either id or username identifies the user; a username never renames one. A field that is left out or null stays as it is; an empty string (or gender 0) clears it; only a non-empty password replaces the previous one.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1017 changed-meanwhile, 1101 user-not-found, 1103 user-identifiers-disagree, and the codes that every operation shares
   */
  updateUser(input: UpdateUserInput, options?: CallOptions): Promise<void>;
}

/** Its route, and the int64 values of its input and answer. */
export const updateUser = {
  name: 'update-user',
  method: 'PUT',
  path: '/user',
  access: 'write',
  repeatable: true,
  fieldsIn: 'body',
  takes: { id: true, if_revision: true },
} as const;
