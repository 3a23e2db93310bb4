import {
  type ColumnField,
  columnFields,
  fieldOfColumn,
  fieldOfNamesColumn,
  isColumnField,
  isNamesField,
  listFieldOfColumn,
  listFields,
  namesFields,
  targetFields,
} from '@fieldroster/tables';
import type { ColumnFields, ImportKind } from '../job/import-job.ts';
import type { Table } from './read-table.ts';

/** Returns the fields that a column of a file of this kind can be. */
export function fieldsOf(kind: ImportKind): readonly string[] {
  return kind === 'users' ? columnFields : Object.keys(listFields[kind]);
}

/** The fields that some column must be. */
export function requiredFieldsOf(kind: ImportKind): readonly string[] {
  if (kind === 'users') return ['username'];
  return Object.entries(listFields[kind]).flatMap(([field, { isRequired }]) => (isRequired ? [field] : []));
}

/** Returns the field of each column of a file of users; `undefined` for one that is left out. */
export function userFieldsOf({ names }: Table, fields: ColumnFields): readonly (ColumnField | undefined)[] {
  return names.map((name) => {
    const field = fields[name] ?? '';
    return isColumnField(field) ? field : undefined;
  });
}

/**
 * Guesses the field of each column: the field chosen before, else the one that its name suggests. Uses no field twice.
 * Without a choice, a column of role or organization names sets the role or the organization only if no other column
 * does.
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
  const isOfNames = (name: string) => kind === 'users' && fieldOfNamesColumn(name, noFields) !== undefined;
  // A column of names means another field if the file also has a column of ids.
  const isChosen = (name: string) =>
    Object.hasOwn(chosen, name) && !(isOfNames(name) && aboutTargets.has(chosen[name]));
  const guessed = names.map((name) => [name, take(isChosen(name) ? chosen[name] : fieldOf(name))] as const);
  const takenByOthers = new Set(taken);
  const fieldOfNames = (name: string) => {
    const field = isOfNames(name) ? fieldOfNamesColumn(name, takenByOthers) : undefined;
    // The column may have been left out because the earlier file had ids too.
    return isNamesField(field) && chosen[name] === '' ? '' : field;
  };
  return Object.fromEntries(guessed.map(([name, field]) => [name, field || take(fieldOfNames(name))]));
}

const noFields: ReadonlySet<string> = new Set();

const aboutTargets: ReadonlySet<string | undefined> = new Set([
  ...targetFields,
  ...Object.values(namesFields),
]);

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
