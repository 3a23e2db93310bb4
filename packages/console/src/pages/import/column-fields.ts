import { fieldOfColumn, isUserField, type UserField } from '@fieldroster/tables';
import type { ColumnFields } from './import-job.ts';

const storageKey = 'fieldroster-import-columns';

/** Guesses the field of each column: as it was chosen before, else by its name. No field comes twice. */
export function guessFields(names: readonly string[]): ColumnFields {
  const chosen = readChosen();
  const taken = new Set<UserField>();
  const entries = names.map((name) => {
    const field = Object.hasOwn(chosen, name) ? chosen[name] : fieldOfColumn(name);
    if (field === undefined || field === '' || taken.has(field)) return [name, ''] as const;
    taken.add(field);
    return [name, field] as const;
  });
  return Object.fromEntries(entries);
}

/** Remembers what each column was, for files with the same names. */
export function rememberFields(fields: ColumnFields): void {
  localStorage.setItem(storageKey, JSON.stringify({ ...readChosen(), ...fields }));
}

function readChosen(): ColumnFields {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, unknown>;
    const known = Object.entries(stored).filter(
      ([, field]) => field === '' || (typeof field === 'string' && isUserField(field)),
    );
    return Object.fromEntries(known) as ColumnFields;
  } catch {
    return {};
  }
}
