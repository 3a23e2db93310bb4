import type { BatchUsersInput } from '@fieldroster/client';
import { limits } from '@fieldroster/contract/limits';
import { type ProfileTextName, profileTextNames, profileTexts } from '@fieldroster/contract/profile-texts';
import { normalizeColumnName } from './normalize-column-name.ts';
import {
  isNamesField,
  type NamesField,
  namesFields,
  type TargetField,
  targetFields,
} from './target-names.ts';

export type BatchEntry = BatchUsersInput['users'][number];

/** A field of a user that a column can set. */
export type UserField = keyof BatchEntry;

/** A field that a column can be mapped to. */
export type ColumnField = UserField | NamesField;

/** The texts that a cell may have for a gender: the interface's numbers, or words. */
export const genderWords: Readonly<Record<string, 0 | 1 | 2>> = {
  '0': 0,
  '1': 1,
  '2': 2,
  male: 1,
  female: 2,
  男: 1,
  女: 2,
};

/**
 * Column names that need no mapping, besides the names of the fields themselves. They are compared as
 * `normalizeColumnName` does. The order is that of the fields in messages and choices.
 */
const otherColumnNames: Readonly<Partial<Record<UserField, readonly string[]>>> = {
  username: ['login', 'login name', 'account', '用户名', '账号'],
  real_name: ['name', 'full name', '姓名'],
  nickname: ['display name', '昵称'],
  gender: ['sex', '性别'],
  email: ['mail', 'email address', '邮箱', '电子邮箱', '电子邮件'],
  phone: ['phone number', 'mobile', 'telephone', '电话', '手机', '手机号'],
  department: ['部门'],
  unique_code: ['code', 'employee number', 'employee code', '编号', '编码', '工号', '员工编号'],
  avatar: ['picture', '头像'],
  ext_info: [],
  password: ['密码'],
  password_hash: [],
  role_id: ['role', 'role name or id', '角色', '角色 id', '角色名称或 id'],
  org_id: [
    'org',
    'organization id',
    'organization',
    'organization name or id',
    '组织',
    '组织 id',
    '组织名称或 id',
  ],
  store_codes: [
    'store code',
    'stores',
    'store',
    'stores (codes, separated by ;)',
    '门店',
    '门店编号',
    '门店（编号，用“;”分隔）',
  ],
};

/** Columns of names. An export of the console has them beside the ids. */
const columnsOfNames: Readonly<Record<TargetField, readonly string[]>> = {
  role_id: ['role name', '角色名称', '角色名'],
  org_id: [
    'org name',
    'organization name',
    'org path',
    'organization path',
    '组织名称',
    '组织名',
    '组织路径',
  ],
};

/** Every other field is a text, which has a limit. */
type FieldWithoutLimit = 'gender' | 'role_id' | 'org_id' | 'store_codes';

type TextOfAccount = Exclude<UserField, ProfileTextName | FieldWithoutLimit>;

const charactersMaxOfAccount: Readonly<Record<TextOfAccount, number>> = {
  username: limits.usernameCharactersMax,
  password: limits.passwordCharactersMax,
  password_hash: limits.passwordHashCharactersMax,
  ext_info: limits.extInfoCharactersMax,
};

/**
 * The most characters that each text may have. The server holds the same limits, but refuses a whole request for a value
 * too large to be parsed.
 */
export const charactersMax: Readonly<Partial<Record<UserField, number>>> = {
  ...charactersMaxOfAccount,
  ...Object.fromEntries(profileTextNames.map((name) => [name, profileTexts[name].charactersMax])),
};

/** Every field that a column can set. A text without other names comes last. */
export const userFields = [
  ...new Set([...Object.keys(otherColumnNames), ...profileTextNames]),
] as readonly UserField[];

const fieldsByName = new Map(
  userFields.flatMap((field) =>
    [field, ...(otherColumnNames[field] ?? [])].map((name) => [normalizeColumnName(name), field] as const),
  ),
);

/** Returns the field that a column's name stands for, or `undefined` for any other name. */
export function fieldOfColumn(name: string): UserField | undefined {
  return fieldsByName.get(normalizeColumnName(name));
}

/**
 * Returns the field that a column with the names of roles, organizations or stores fills: the field of their ids or
 * codes, or, if another column has that one, the field for names beside it.
 *
 * @param taken the fields of the other columns
 */
export function fieldOfNamesColumn(
  name: string,
  taken: { readonly has: (field: ColumnField) => boolean },
): ColumnField | undefined {
  const wanted = normalizeColumnName(name);
  const field = targetFields.find((target) =>
    columnsOfNames[target].some((known) => normalizeColumnName(known) === wanted),
  );
  return field !== undefined && taken.has(field) ? namesFields[field] : field;
}

export const columnFields: readonly ColumnField[] = [...userFields, ...Object.values(namesFields)];

export function isColumnField(name: string): name is ColumnField {
  return (userFields as readonly string[]).includes(name) || isNamesField(name);
}
