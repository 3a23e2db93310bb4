// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `createUser`. */
export interface CreateUserInput {
  /** Login name: unique within the tenant, compared exactly, never renamed; a new one may not contain zero-width spaces or bidirectional controls; at most 50 characters. */
  readonly username: string;
  /** Password; stored as an argon2id hash only; at most 200 characters. */
  readonly password: string;
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
}

/** Result of `createUser`. */
export interface CreateUserData<Id = bigint> {
  /** Id of the user. */
  id: Id;
  /** Login name. */
  username: string;
  /** Name of the person. */
  real_name: string;
  /** The password, as it was sent; no other answer contains it. */
  password: string;
  /** Name to show. */
  nickname: string;
  /** 0 = not given, 1 = male, 2 = female. */
  gender: 0 | 1 | 2;
  /** Email address; its format is not checked. */
  email: string;
  /** Telephone number; its format is not checked. */
  phone: string;
  /** Department. */
  department: string;
  /** URL of a picture. */
  avatar: string;
  /** A code that the caller chooses, such as an employee number. */
  unique_code: string;
}

export interface CreateUser<Id = bigint> {
  /**
   * Create a user: `POST /user`. Creates a user and returns it with its new id. The answer repeats the password that was sent; the server stores only a hash of it.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1102 username-taken, and the codes that every operation shares
   */
  createUser(input: CreateUserInput, options?: CallOptions): Promise<CreateUserData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const createUser = {
  name: 'create-user',
  method: 'POST',
  path: '/user',
  access: 'write',
  repeatable: false,
  fieldsIn: 'body',
  answer: { id: true },
} as const;
