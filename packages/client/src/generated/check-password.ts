// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `checkPassword` takes. */
export interface CheckPasswordInput {
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  readonly username: string;
  /** Password to check; at most 200 characters. */
  readonly password: string;
}

/** What `checkPassword` answers. */
export interface CheckPasswordData<Id = bigint> {
  /** Id of the user. */
  id: Id;
  /** Login name: unique within the tenant, compared exactly, never renamed; at most 50 characters. */
  username: string;
}

export interface CheckPassword<Id = bigint> {
  /**
   * Check a password: `POST /user/password/check`. Answers 0 only when the password is the user’s and the user is active. An unknown username and a wrong password get one and the same answer, after a second or two. After ten failures within a minute a username has to wait (1429); after 300 an application gets one wrong password for each username, and users without failures still log in.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, 1104 wrong-password, 1105 user-disabled, and the codes that every operation shares
   */
  checkPassword(input: CheckPasswordInput, options?: CallOptions): Promise<CheckPasswordData<Id>>;
}

/** How it is sent and answered. */
export const checkPassword = {
  name: 'check-password',
  method: 'POST',
  path: '/user/password/check',
  access: 'read',
  fieldsIn: 'body',
  answer: { id: true },
} as const;
