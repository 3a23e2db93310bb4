// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `checkPassword`. */
export interface CheckPasswordInput {
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username: string;
  /** Password to check; at most 200 characters. */
  readonly password: string;
}

/** Result of `checkPassword`. */
export interface CheckPasswordData<Id = bigint> {
  /** Id of the user. */
  id: Id;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  username: string;
}

export interface CheckPassword<Id = bigint> {
  /**
   * Check a password: `POST /user/password/check`. Answers 0 only if the password is the user’s and the user is active. An unknown username, a wrong password and a user without a password get the same answer, 1104, after a second or two. After ten failures within a minute, a username has to wait (1429). After 300 failures within a minute, an application may send one wrong password for each username; users without failures can still log in. A wrong guess that is sent again because its answer was lost counts twice.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1104 wrong-password, 1105 user-disabled, and the codes that every operation shares
   */
  checkPassword(input: CheckPasswordInput, options?: CallOptions): Promise<CheckPasswordData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const checkPassword = {
  name: 'check-password',
  method: 'POST',
  path: '/user/password/check',
  access: 'read',
  fieldsIn: 'body',
  answer: { id: true },
} as const;
