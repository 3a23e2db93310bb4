import type { UserFields } from '@fieldroster/contract';

/** How a user's field is stored. */
interface UserColumn {
  /** Its name in records and changes. */
  readonly property: string;
  /** Its column in the table `user`, which is never null. */
  readonly column: string;
  readonly type: 'text' | 'int64';
  /** Whether a user search covers it. */
  readonly searched: boolean;
}

/**
 * Where each field of a user is stored, by its name in the contract. Queries, records, updates, lists and responses
 * derive all they know of a user's fields from this table and the contract's list.
 */
const userColumns = {
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

/** The fields with their contract names, in the order of the table above. */
export const userFieldList = Object.entries(userColumns).map(([name, column]) => ({
  name: name as UserFieldName,
  ...column,
}));

/** Returns the value of an unset field. */
export function emptyValue({ type }: UserColumn): '' | 0 {
  return type === 'text' ? '' : 0;
}
