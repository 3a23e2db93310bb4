import { type TSchema, type TUnsafe, Type } from 'typebox';
import { limits } from './limits.ts';

/**
 * A signed 64-bit integer, exact over its whole range. It is a `bigint` in code and a JSON number on the
 * wire; `JSON.parse` alone would round it above 2^53.
 */
export function int64(description: string): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({ type: 'integer', format: 'int64', description });
}

/** A signed 32-bit integer. */
export function int32(description: string) {
  return Type.Integer({ format: 'int32', description });
}

export function text(description: string, charactersMax?: number) {
  return Type.String({ description, ...(charactersMax !== undefined && { maxLength: charactersMax }) });
}

/** `0` is what typed clients send for an unset number, so it is accepted and means "not given". */
export const gender = Type.Unsafe<0 | 1 | 2>({
  type: 'integer',
  format: 'int32',
  enum: [0, 1, 2],
  description: '0 = not given, 1 = male, 2 = female',
});

/** No white space at either end and no control character, so that two usernames never look the same. */
export const username = Type.String({
  minLength: 1,
  maxLength: limits.usernameCharactersMax,
  pattern: '^(?!\\s)[^\\p{Cc}]*(?<!\\s)$',
  patternMeaning: 'free of control characters, and of white space at either end',
  description: 'Login name: unique within the tenant, compared exactly, never renamed',
});

export const storeCode = Type.String({ minLength: 1, description: 'Code of a store' });

export const userId = int64('Id of the user');

/** The optional fields that create, update and batch have in common. */
export const profileFields = {
  real_name: text('Name of the person', limits.realNameCharactersMax),
  nickname: text('Name to show', limits.nicknameCharactersMax),
  gender,
  email: text('Mail address; no form is enforced', limits.emailCharactersMax),
  phone: text('Telephone number; no form is enforced', limits.phoneCharactersMax),
  department: text('Department', limits.departmentCharactersMax),
  avatar: text('URL of a picture', limits.avatarCharactersMax),
  unique_code: text('A code of the caller’s own, such as an employee number', limits.uniqueCodeCharactersMax),
};

/** A password of the caller's; only its argon2id hash is stored. */
export const password = text('Password; stored as an argon2id hash only', limits.passwordCharactersMax);

/** Turns a record of field schemas into the same record, each optional. */
export function optionalFields<Fields extends Record<string, TSchema>>(fields: Fields) {
  return Type.Partial(Type.Object(fields)).properties;
}
