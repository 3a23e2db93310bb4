import { simpleLowerCase } from '@fieldroster/contract/characters';
import { unguardFormula } from '@fieldroster/contract/formula-guard';
import type { SourceRow } from './source-row.ts';

/** The fields that a file may give by a name instead of an id. */
export type TargetField = 'role_id' | 'org_id';

export const targetFields: readonly TargetField[] = ['role_id', 'org_id'];

export function isTargetField(field: string | undefined): field is TargetField {
  return field === 'role_id' || field === 'org_id';
}

/**
 * Returns the name in a cell. A text of digits is an id and no name, even if a role is called so: otherwise a role named
 * `7` would change what a file of ids means.
 */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || /^-?\d+$/.test(text) ? undefined : text;
}

/**
 * Returns what two texts have in common that are the same name: the composed form of their characters, in lower case.
 * Like the search for users, it ignores case but no accents.
 */
export function nameKey(name: string): string {
  return simpleLowerCase(name.trim().normalize('NFC')).normalize('NFC');
}

const separators = /[/›>]/;

export function isPath(name: string): boolean {
  return separators.test(name);
}

/** Returns the key of a path by that of its text: its names without the spaces between them. */
export function pathKey(key: string): string {
  if (!isPath(key)) return key;
  return key
    .split(separators)
    .map((name) => name.trim())
    .join('/');
}

/** A path of 64 names is shorter. A longer text is no name, and is not kept. */
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
