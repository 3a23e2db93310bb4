import { foldCase } from '@fieldroster/contract/characters';
import { unguardFormula } from '@fieldroster/contract/formula-guard';
import { invisibleCharacters } from '@fieldroster/contract/invisible-characters';
import { limits } from '@fieldroster/contract/limits';
import type { SourceRow } from './source-row.ts';

/** The fields whose value in a file may be a name instead of an id. */
export type TargetField = 'role_id' | 'org_id';

export const targetFields: readonly TargetField[] = ['role_id', 'org_id'];

/** The columns of names that stand beside one of ids. */
export type NamesField = 'role_name' | 'org_name';

export const namesFields: Readonly<Record<TargetField, NamesField>> = {
  role_id: 'role_name',
  org_id: 'org_name',
};

export function isNamesField(field: string | undefined): field is NamesField {
  return field === 'role_name' || field === 'org_name';
}

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
  return /^(?:-?\d+)?$/.test(plainText(text)) ? undefined : text;
}

const fullWidth = /[！-～]/g;
const fullWidthOffset = 0xfee0;
const invisible = new RegExp(`[${String.fromCodePoint(...invisibleCharacters)}]`, 'g');

/**
 * Returns a text with what people see but do not type: the ASCII characters in place of their full-width forms, one
 * space in place of any white space, and nothing in place of invisible characters.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(fullWidth, (wide) => String.fromCharCode(wide.charCodeAt(0) - fullWidthOffset))
    .replaceAll(invisible, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Returns the key of a name, which is equal for texts that are the same name: its plain text composed and in lower case.
 * Like the search for users, it ignores case but not accents.
 */
export function nameKey(name: string): string {
  return foldCase(plainText(name).normalize('NFC')).normalize('NFC');
}

const separators = /[/\\›>]/;

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

/** The most levels that a path is followed through. */
export const levelsMax = 64;

/** No name has more characters. Some take two code units, or more in their decomposed form. */
const nameUnitsMax = 4 * Math.max(limits.roleNameCharactersMax, limits.orgNameCharactersMax);
const pathUnitsMax = levelsMax * nameUnitsMax;
const mayBePath = /[/\\›>／＼＞]/;

/** Returns the key of a name, or `undefined` for a text too long to be one, which is not worth keeping. */
export function keyIn(field: TargetField, name: string): string | undefined {
  if (name.length <= nameUnitsMax) return nameKey(name);
  if (field === 'role_id' || name.length > pathUnitsMax || !mayBePath.test(name)) return undefined;
  const key = nameKey(name);
  return key.split(separators, levelsMax + 1).length > levelsMax ? undefined : key;
}

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
      this.#addValue(field, values[fields.indexOf(field)]);
      this.#addValue(field, values[fields.indexOf(namesFields[field])]);
    }
  }

  #addValue(field: TargetField, value: unknown): void {
    const isGuarded = this.#mayBeGuarded && typeof value === 'string';
    const name = nameIn(isGuarded ? unguardFormula(value) : value);
    const key = name === undefined ? undefined : keyIn(field, name);
    if (key !== undefined) this[field].add(key);
  }
}
