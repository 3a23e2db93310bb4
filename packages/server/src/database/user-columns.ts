import { type UserFields, userFields } from '@fieldroster/contract';

export type UserFieldName = keyof UserFields;

/** The name of a field in records and changes: `realName` for `real_name`. */
export type UserProperty<Name extends string = UserFieldName> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<UserProperty<Rest>>}`
  : Name;

/** The fields that a search for users covers. A migration must change its index together with them. */
const searchedFields: readonly UserFieldName[] = ['real_name', 'nickname', 'email', 'phone', 'unique_code'];

/** How a field of a user is stored. */
interface UserColumn {
  /** Its name in the contract. */
  readonly name: UserFieldName;
  readonly property: UserProperty;
  /** Its column in the table `user`, which is never null. */
  readonly column: UserFieldName;
  readonly type: 'text' | 'int64';
  readonly searched: boolean;
}

/**
 * Where each field of a user is stored, in the order of the contract's list. Queries, records, updates, lists and
 * responses derive all they know of a user's fields from this.
 */
export const userFieldList: readonly UserColumn[] = (Object.keys(userFields) as UserFieldName[]).map(
  (name) => ({
    name,
    property: toProperty(name),
    column: name,
    type: 'enum' in userFields[name] ? 'int64' : 'text',
    searched: searchedFields.includes(name),
  }),
);

function toProperty(name: UserFieldName): UserProperty {
  return name.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()) as UserProperty;
}

/** Returns the value of an unset field. */
export function emptyValue({ type }: UserColumn): '' | 0 {
  return type === 'text' ? '' : 0;
}
