import { simpleLowerCase } from '@fieldroster/contract/characters';
import { unguardFormula } from '@fieldroster/contract/formula-guard';
import type { SourceRow } from './source-row.ts';

/** The fields whose value in a file may be a name instead of an id. */
export type TargetField = 'role_id' | 'org_id';

export const targetFields: readonly TargetField[] = ['role_id', 'org_id'];

export function isTargetField(field: string | undefined): field is TargetField {
  return field === 'role_id' || field === 'org_id';
}

/**
 * Returns the name in a cell, if it has one. A whole number is an id, even if it is also the name of a role: otherwise
 * a role named `7` would change what a file of ids means.
 */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || /^-?\d+$/.test(text) ? undefined : text;
}

/**
 * Returns the key of a name, which is equal for texts that are the same name: its characters composed and in lower
 * case. Like the search for users, it ignores case but not accents.
 */
export function nameKey(name: string): string {
  return simpleLowerCase(name.trim().normalize('NFC')).normalize('NFC');
}

const separators = /[/›>]/;

export function isPath(name: string): boolean {
  return separators.test(name);
}

/** Turns the key of a text into that of a path, by removing the spaces around its names and unifying the separators. */
export function pathKey(key: string): string {
  if (!isPath(key)) return key;
  return key
    .split(separators)
    .map((name) => name.trim())
    .join('/');
}

/** More than a path of 64 names has. A longer text can match nothing, so it is not kept. */
const keyCharactersMax = 64 * 260;

/** The distinct names that a file gives for roles and organizations, by their keys. */
export class NamesInFile {
  readonly role_id = new Set<string>();
  readonly org_id = new Set<string>();
  readonly #mayBeGuarded: boolean;

  constructor({ mayBeGuarded }: { readonly mayBeGuarded: boolean }) {
    this.#mayBeGuarded = mayBeGuarded;
  }

  add({ values }: SourceRow, fields: readonly (string | undefined)[]): void {
    for (const field of targetFields) {
      const value = values[fields.indexOf(field)];
      const isGuarded = this.#mayBeGuarded && typeof value === 'string';
      const name = nameIn(isGuarded ? unguardFormula(value) : value);
      if (name !== undefined && name.length <= keyCharactersMax) this[field].add(nameKey(name));
    }
  }
}
