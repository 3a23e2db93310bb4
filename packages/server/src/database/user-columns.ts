import { type UserFields, userFields } from '@fieldroster/contract';

/** A field's name in records and changes, such as `realName`. */
type PropertyOf<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<PropertyOf<Rest>>}`
  : Name;

/** How a user's field is stored. */
interface UserColumn<Name extends keyof UserFields> {
  /** Its name in the contract. */
  readonly name: Name;
  readonly property: PropertyOf<Name>;
  /** Its column in the table `user`, which is never null. It has the name of the field. */
  readonly column: Name;
  readonly type: Exclude<UserFields[Name], undefined> extends string ? 'text' : 'int64';
  /** Whether a user search covers it. */
  readonly searched: boolean;
}

export type UserColumns = { readonly [Name in keyof UserFields]-?: UserColumn<Name> };

export type UserFieldName = keyof UserColumns;

/** The fields that a user search covers. Another one needs a migration that adds it to the index of the search. */
const searchedFields: ReadonlySet<UserFieldName> = new Set([
  'real_name',
  'nickname',
  'email',
  'phone',
  'unique_code',
]);

/**
 * Where each field of a user is stored, in the order of the contract's list, from which all of it follows. Queries,
 * records, updates, lists and responses derive all they know of a user's fields from this list.
 */
export const userFieldList = (Object.keys(userFields) as UserFieldName[]).map((name) => ({
  name,
  property: propertyOf(name),
  column: name,
  type: Reflect.get(userFields[name], 'type') === 'string' ? 'text' : 'int64',
  searched: searchedFields.has(name),
})) as readonly UserColumns[UserFieldName][];

function propertyOf(name: string): string {
  const [first = '', ...others] = name.split('_');
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Returns the value of an unset field. */
export function emptyValue({ type }: Pick<UserColumns[UserFieldName], 'type'>): '' | 0 {
  return type === 'text' ? '' : 0;
}
