import {
  fieldOfColumn,
  fieldOfNamesColumn,
  isUserField,
  listFieldOfColumn,
  listFields,
  type UserField,
  userFields,
} from '@fieldroster/tables';
import type { ColumnFields, ImportKind } from './import-job.ts';
import type { Table } from './read-table.ts';

/** The fields that a column of a file of this kind can be. */
export function fieldsOf(kind: ImportKind): readonly string[] {
  return kind === 'users' ? userFields : Object.keys(listFields[kind]);
}

/** The fields that some column must be. */
export function requiredFieldsOf(kind: ImportKind): readonly string[] {
  if (kind === 'users') return ['username'];
  return Object.entries(listFields[kind]).flatMap(([field, { isRequired }]) => (isRequired ? [field] : []));
}

/** Returns the field of each column of a file of users; `undefined` for one that is left out. */
export function userFieldsOf({ names }: Table, fields: ColumnFields): readonly (UserField | undefined)[] {
  return names.map((name) => {
    const field = fields[name] ?? '';
    return isUserField(field) ? field : undefined;
  });
}

/**
 * Guesses the field of each column: the field chosen before, else the one that its name suggests. No field comes twice.
 * A column of names sets the role or the organization only if no other column does.
 */
export function guessFields(kind: ImportKind, names: readonly string[]): ColumnFields {
  const chosen = readChosen(kind);
  const taken = new Set<string>();
  const fieldOf = (name: string) => (kind === 'users' ? fieldOfColumn(name) : listFieldOfColumn(kind, name));
  const take = (field: string | undefined) => {
    if (field === undefined || field === '' || taken.has(field)) return '';
    taken.add(field);
    return field;
  };
  const guessed = names.map(
    (name) => [name, take(Object.hasOwn(chosen, name) ? chosen[name] : fieldOf(name))] as const,
  );
  // A column of names that was left out before may have stood beside the ids then.
  const ofNames = (name: string) => (kind === 'users' ? fieldOfNamesColumn(name) : undefined);
  return Object.fromEntries(guessed.map(([name, field]) => [name, field || take(ofNames(name))]));
}

/** Remembers what each column was, for files of the same kind with the same names. */
export function rememberFields(kind: ImportKind, fields: ColumnFields): void {
  localStorage.setItem(storageKeyOf(kind), JSON.stringify({ ...readChosen(kind), ...fields }));
}

function storageKeyOf(kind: ImportKind): string {
  return kind === 'users' ? 'fieldroster-import-columns' : `fieldroster-import-columns-${kind}`;
}

function readChosen(kind: ImportKind): ColumnFields {
  const known = fieldsOf(kind);
  try {
    const stored = JSON.parse(localStorage.getItem(storageKeyOf(kind)) ?? '{}') as Record<string, unknown>;
    const valid = Object.entries(stored).filter(
      ([, field]) => field === '' || (typeof field === 'string' && known.includes(field)),
    );
    return Object.fromEntries(valid) as ColumnFields;
  } catch {
    return {};
  }
}
