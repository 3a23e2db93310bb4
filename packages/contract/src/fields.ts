import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';
import { limits } from './limits.ts';
import { type Problem, printableMeaning } from './problem-texts.ts';
import { type ProfileTextName, profileTextNames, profileTexts } from './profile-texts.ts';

/**
 * A signed 64-bit integer, exact over its whole range. It is a `bigint` in code and a JSON number on the wire,
 * where `JSON.parse` alone would round it above 2^53.
 */
export function int64(description: string): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({ type: 'integer', format: 'int64', description });
}

/** The id of a new object, if the caller gives one. The server refuses a lower one in words of its own. */
export function givenId(description: string): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({ type: 'integer', format: 'int64', minimum: 0, description });
}

/** A signed 32-bit integer. */
export function int32(description: string) {
  return Type.Integer({ format: 'int32', description });
}

export function text(description: string, charactersMax?: number) {
  return Type.String({ description, ...(charactersMax !== undefined && { maxLength: charactersMax }) });
}

/** Typed clients send `0` for an unset number, so it is accepted and means "not given". */
const gender = Type.Unsafe<0 | 1 | 2>({
  type: 'integer',
  format: 'int32',
  enum: [0, 1, 2],
  description: '0 = not given, 1 = male, 2 = female',
});

/**
 * Text without control characters, and without white space at either end. The pattern avoids look-around, which
 * some languages' regular expressions lack.
 */
const trimmedPrintablePattern =
  '^[^\\s\\x00-\\x1f\\x7f-\\x9f]([^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f])?$';

/** No white space at either end, so that no two usernames look the same. */
const usernameRules = {
  minLength: 1,
  maxLength: limits.usernameCharactersMax,
  pattern: trimmedPrintablePattern,
  patternMeaning: printableMeaning,
};

const usernameMeaning = 'Login name: unique within the tenant, compared exactly, never renamed';

export const username = Type.String({ ...usernameRules, description: usernameMeaning });

/** The username in operations that can create the user. */
export const newUsername = Type.String({
  ...usernameRules,
  description: `${usernameMeaning}; a new one may not contain zero-width spaces or bidirectional controls`,
});

export const storeCode = Type.String({ minLength: 1, description: 'Code of a store' });

/** More characters than an APPID, the name of an operation or a request id has. */
const issuedCharactersMax = 64;

/** The APPID, the name of an operation or the request id that a filter asks for. */
export function issuedName(description: string) {
  return text(description, issuedCharactersMax);
}

/** The application that an operation is about. */
export const requiredAppId = name('APPID of the application', issuedCharactersMax);

export const userId = int64('Id of the user');

const { real_name, nickname, ...furtherTexts } = Object.fromEntries(
  profileTextNames.map((name) => [name, text(profileTexts[name].meaning, profileTexts[name].charactersMax)]),
) as Record<ProfileTextName, ReturnType<typeof text>>;

/** The user fields that callers may set and the query returns. */
export const profileFields = { real_name, nickname, gender, ...furtherTexts };

/** All user fields that callers may set. */
export const userFields = {
  ...profileFields,
  ext_info: text('Free-form information; JSON is recommended', limits.extInfoCharactersMax),
};

/** The values of the user fields that a caller sends. */
export type UserFields = { readonly [Name in keyof typeof userFields]?: Static<(typeof userFields)[Name]> };

/** Removes the length limits: answers may contain stored values that exceed them. */
export function answered<Fields extends Record<string, TSchema>>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(
    ([name, { maxLength, ...field }]: [string, TSchema & { maxLength?: number }]) => [name, field],
  );
  return Object.fromEntries(entries) as Fields;
}

/** A secret from the caller. Records of calls keep nothing of it, not even the digest of a body that holds it. */
export function secretText(description: string, charactersMax: number, charactersMin = 0) {
  const least = charactersMin > 0 ? { minLength: charactersMin } : {};
  return Type.String({ description, ...least, maxLength: charactersMax, writeOnly: true });
}

const passwordMeaning = 'Password; stored as an argon2id hash only';

export const password = secretText(passwordMeaning, limits.passwordCharactersMax);

/** The password of operations that need one. */
export const requiredPassword = secretText(passwordMeaning, limits.passwordCharactersMax, 1);

/** Makes every field of a record of schemas optional. */
export function optionalFields<Fields extends Record<string, TSchema>>(fields: Fields) {
  return Type.Partial(Type.Object(fields)).properties;
}

/** A boolean; `true` or `false` as a query parameter. */
export function flag(description: string) {
  return Type.Boolean({ description });
}

/** Asks a bulk operation for its report alone. */
export const dryRun = flag('Report what would happen, and change nothing');

/** One of a fixed set of words. */
export function oneOf<const Words extends readonly string[]>(description: string, words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description });
}

/** Milliseconds since the Unix epoch. */
export function time(description: string): TUnsafe<bigint> {
  const inMs = `${description}, in Unix milliseconds`;
  return Type.Unsafe<bigint>({ type: 'integer', format: 'int64', description: inMs, 'x-unit': 'ms' });
}

/** Returns whether a schema is that of a {@link time}. */
export function isTime(schema: TSchema): boolean {
  return 'x-unit' in schema;
}

/** A number that grows with every change of its row. */
export const revision = int64('Grows with every change');

/** The condition of an update: it applies only to the revision that the caller has read. */
export const ifRevision = int64(
  'Apply the change only if this is still the revision; if left out, apply it anyway',
);

/** The position where a list continues. Only the operation that issued it can interpret it. */
export const cursor = Type.String({
  maxLength: 2048,
  description: 'next_cursor of the previous page; left out or empty for the first page',
});

export const pageLimit = Type.Integer({
  format: 'int32',
  minimum: 1,
  maximum: limits.pageEntriesMax,
  description: `Largest number of entries on a page; ${limits.pageEntriesDefault} if left out`,
});

export const nextCursor = text('The cursor of the next page; empty on the last page');

export const userStatuses = ['active', 'disabled'] as const;

export const userStatus = oneOf('A disabled user stays, but the password check refuses it', userStatuses);

const newStoreCodeRule = {
  minLength: 1,
  maxLength: limits.storeCodeCharactersMax,
  pattern: trimmedPrintablePattern,
  patternMeaning: printableMeaning,
};

/** The code of a store to be created. */
export const newStoreCode = Type.String({
  ...newStoreCodeRule,
  description:
    'Code of the store; a new one may not contain the beginning of another query parameter, such as &user_id=',
});

/** The texts of a store that callers may leave out. */
export const optionalStoreFields = optionalFields({
  address: text('Address of the store', limits.addressCharactersMax),
});

/** A name that must not be empty. */
export function name(description: string, charactersMax: number) {
  return Type.String({ minLength: 1, maxLength: charactersMax, description });
}

/** A name that fits on one line, without white space around it. */
export function oneLineName(description: string, charactersMax: number) {
  return Type.String({
    minLength: 1,
    maxLength: charactersMax,
    pattern: trimmedPrintablePattern,
    patternMeaning: printableMeaning,
    description,
  });
}

/** An entry of an array whose entries are checked one by one: its value, or what is wrong with it. */
export type CheckedEntry<Value> =
  | { readonly value: Value }
  | { readonly problem: string; readonly fault?: Problem | undefined; readonly given: unknown };

/** An array in which an invalid entry does not invalidate the whole request. */
export function entriesCheckedOneByOne<Entry extends TObject>(
  entry: Entry,
  rules: { readonly minItems: number; readonly maxItems: number; readonly description: string },
) {
  return Type.Unsafe<readonly CheckedEntry<Static<Entry>>[]>({
    type: 'array',
    items: entry,
    ...rules,
    checkedOneByOne: true,
  });
}
