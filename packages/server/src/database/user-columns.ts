import type { UserFields } from '@fieldroster/contract';

/** How a field of a user is kept. */
interface UserColumn {
  /** Its name in records and changes. */
  readonly property: string;
  /** Its column in the table `user`, which is never null. */
  readonly column: string;
  readonly type: 'text' | 'int64';
  /** Whether a search of the users looks through it. */
  readonly searched: boolean;
}

/**
 * Where each field of a user is kept, under its name in the contract. With the contract's list of fields this is all
 * that queries, records, updates, lists and answers know of a user's fields.
 */
export const userColumns = {
  real_name: { property: 'realName', column: 'real_name', type: 'text', searched: true },
  nickname: { property: 'nickname', column: 'nickname', type: 'text', searched: true },
  gender: { property: 'gender', column: 'gender', type: 'int64', searched: false },
  email: { property: 'email', column: 'email', type: 'text', searched: true },
  phone: { property: 'phone', column: 'phone', type: 'text', searched: true },
  department: { property: 'department', column: 'department', type: 'text', searched: false },
  avatar: { property: 'avatar', column: 'avatar', type: 'text', searched: false },
  unique_code: { property: 'uniqueCode', column: 'unique_code', type: 'text', searched: true },
  ext_info: { property: 'extInfo', column: 'ext_info', type: 'text', searched: false },
} as const satisfies Record<keyof UserFields, UserColumn>;

export type UserColumns = typeof userColumns;

export type UserFieldName = keyof UserColumns;

/** The fields with their names in the contract, in the order of the table above. */
export const userFieldList = Object.entries(userColumns).map(([name, column]) => ({
  name: name as UserFieldName,
  ...column,
}));

/** The empty value of a field that is not set. */
export function emptyValue({ type }: UserColumn): '' | 0 {
  return type === 'text' ? '' : 0;
}
