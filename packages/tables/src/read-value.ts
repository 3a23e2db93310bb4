import { countCharacters, findUnprintable, hasMoreCharacters } from '@fieldroster/contract/characters';
import { isFormulaError, unguardFormula } from '@fieldroster/contract/formula-guard';
import { limits } from '@fieldroster/contract/limits';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import type { NameMatches, ResolvedNames } from './resolve-names.ts';
import { SheetFault, SheetNumber } from './source-row.ts';
import { isTargetField, keyIn, nameIn, namesFields, plainText, type TargetField } from './target-names.ts';
import { charactersMax, genderWords, type UserField } from './user-fields.ts';

/** How to convert a cell or a JSON value to the value of a field. */
export interface ValueRules {
  /** Separates several store codes in one cell. */
  readonly storeSeparator: string;
  /** Whether an empty cell clears the field instead of leaving it unchanged. */
  readonly clearEmpty: boolean;
  /** Whether texts may have the formula guard that our export writes into tables. */
  readonly mayBeGuarded: boolean;
  /** The roles and organizations that names stand for; without them, a value must be an id. */
  readonly names?: ResolvedNames | undefined;
}

/** Thrown for an invalid value. The message says what is wrong, and never contains a password. */
export class ValueProblem extends Error {
  override readonly name = 'ValueProblem';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problemInEnglish(problem));
    this.problem = problem;
  }
}

/**
 * Returns the value to send for a field; `undefined` to omit the field.
 *
 * @throws {ValueProblem}
 */
export function readValue(field: UserField, value: unknown, rules: ValueRules): unknown {
  // Only JSON has null, which keeps the value.
  if (value === null || value === undefined) return undefined;
  refuseFault(field, value, rules.mayBeGuarded);
  const guarded = rules.mayBeGuarded && typeof value === 'string' && !isSecret(field);
  return readUnguarded(field, guarded ? unguardFormula(value) : value, rules);
}

function readUnguarded(field: UserField, value: unknown, rules: ValueRules): unknown {
  if (isTargetField(field)) return readTarget(field, value, rules);
  if (field === 'store_codes') return readStoreCodes(value, rules);
  if (field === 'gender') return readGender(value, rules);
  return readText(field, value, rules);
}

/**
 * Refuses a cell that has no value: read as an empty one, it could clear a field.
 *
 * @param isTable whether a text may be the error of a spreadsheet, which writes them so to CSV
 * @throws {ValueProblem}
 */
export function refuseFault(name: string, value: unknown, isTable: boolean): void {
  if (isTable && typeof value === 'string' && isFormulaError(value))
    throw faultProblem(name, new SheetFault('error', value));
  if (value instanceof SheetFault) throw faultProblem(name, value);
}

function faultProblem(name: string, { kind, text }: SheetFault): ValueProblem {
  const named = { field: name };
  if (kind === 'error') return new ValueProblem({ key: 'sheetError', values: { ...named, value: text } });
  const isFormula = kind === 'formula';
  // The formula or the format of a password may contain it.
  if (isSecret(name))
    return new ValueProblem({
      key: isFormula ? 'noResultOfSecret' : 'shownOtherwiseOfSecret',
      values: named,
    });
  const values = { ...named, value: shorten(text) };
  return new ValueProblem({ key: isFormula ? 'noResult' : 'shownOtherwise', values });
}

/** Reads the id of a role or an organization, or finds the one that has the name. */
function readTarget(field: TargetField, value: unknown, { names }: ValueRules): bigint | undefined {
  if (value instanceof Date) throw new ValueProblem({ key: 'isDate', values: { field } });
  const name = nameIn(value);
  if (names === undefined || name === undefined)
    return requireInt64(field, readId(field, typeof value === 'string' ? plainText(value) : value));
  const { count, found } = lookUp(field, name, names) ?? { count: 0, found: [] };
  const [only] = found;
  if (count === 1 && only !== undefined) return BigInt(only.id);
  const isRole = field === 'role_id';
  if (count > 1) {
    const values = { value: shorten(name), count, found };
    throw new ValueProblem({ key: isRole ? 'severalRoles' : 'severalOrgs', values });
  }
  refuseConvertedCode(field, name);
  throw new ValueProblem({ key: isRole ? 'noRoleNamed' : 'noOrgNamed', values: { value: shorten(name) } });
}

function lookUp(field: TargetField, name: string, names: ResolvedNames | undefined): NameMatches | undefined {
  const key = keyIn(field, name);
  return key === undefined ? undefined : names?.[field].get(key);
}

/**
 * Reads a name beside an id. Where a row has both, the id counts. A name that belongs only to others is refused, because
 * one of the two cells must be wrong. A name that is unknown here is ignored: it may come from another system.
 *
 * @param id the value in the column of ids
 * @throws {ValueProblem}
 */
export function readNameBeside(
  field: TargetField,
  id: bigint | undefined,
  value: unknown,
  rules: ValueRules,
): bigint | undefined {
  if (value === null || value === undefined) return id;
  refuseFault(namesFields[field], value, rules.mayBeGuarded);
  const cell = rules.mayBeGuarded && typeof value === 'string' ? unguardFormula(value) : value;
  if (id === undefined) return readTarget(field, cell, rules);
  const name = nameIn(cell);
  const match = name === undefined ? undefined : lookUp(field, name, rules.names);
  if (name === undefined || match === undefined || match.count > match.found.length) return id;
  if (match.found.some((target) => target.id === String(id))) return id;
  const values = { id: String(id), value: shorten(name), found: match.found };
  throw new ValueProblem({ key: field === 'role_id' ? 'otherRole' : 'otherOrg', values });
}

export function readId(field: string, value: unknown): bigint | undefined {
  if (Array.isArray(value)) throw new ValueProblem({ key: 'isList', values: { field } });
  const digits = value instanceof SheetNumber ? withoutPadding(exactDigits(field, value)) : String(value);
  if (digits === '') return undefined;
  if (/^-?\d{1,19}$/.test(digits)) return BigInt(digits);
  throw new ValueProblem({ key: 'notWhole', values: { field, value: shorten(digits) } });
}

const int64Max = 2n ** 63n - 1n;

function requireInt64(field: TargetField, id: bigint | undefined): bigint | undefined {
  const min = -int64Max - 1n;
  if (id === undefined || (id >= min && id <= int64Max)) return id;
  const values = { field, min: String(min), max: String(int64Max), value: String(id) };
  throw new ValueProblem({ key: 'integerOutOfRange', values });
}

/** Removes the leading zeros that the format of a cell shows. */
function withoutPadding(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function readGender(value: unknown, { clearEmpty }: ValueRules): 0 | 1 | 2 | undefined {
  const isPlain = ['number', 'bigint', 'boolean'].includes(typeof value);
  const cell = isPlain ? String(value) : cellText('gender', value).trim().toLowerCase();
  const text = value instanceof SheetNumber ? withoutPadding(cell) : cell;
  if (text === '') return clearEmpty ? 0 : undefined;
  if (Object.hasOwn(genderWords, text)) return genderWords[text];
  throw new ValueProblem({ key: 'notGender', values: { value: shorten(text) } });
}

function readStoreCodes(value: unknown, rules: ValueRules): readonly string[] | undefined {
  if (Array.isArray(value)) {
    if (value.every((code) => typeof code === 'string')) return requireCodes(value);
    throw new ValueProblem({ key: 'notTexts', values: { field: 'store_codes' } });
  }
  const text = toText('store_codes', value);
  const codes = text.split(rules.storeSeparator).map((code) => code.trim());
  const given = codes.filter((code) => code !== '');
  return given.length > 0 || rules.clearEmpty ? requireCodes(given) : undefined;
}

function requireCodes(codes: readonly string[]): readonly string[] {
  const max = limits.storeCodeCharactersMax;
  const long = codes.find((code) => hasMoreCharacters(code, max));
  if (long === undefined) return codes;
  throw new ValueProblem({ key: 'storeCodeTooLong', values: { max, count: countCharacters(long) } });
}

function readText(field: UserField, value: unknown, { clearEmpty }: ValueRules): string | undefined {
  const text = toText(field, value);
  requireLength(field, text, charactersMax[field]);
  requireCharacters(field, text);
  // An import never removes a password.
  return text !== '' || (clearEmpty && !isSecret(field)) ? text : undefined;
}

/**
 * Refuses characters that the server refuses, in its words, so that a row's mistakes are found together.
 *
 * @throws {ValueProblem}
 */
function requireCharacters(field: UserField, text: string): void {
  if (!text.isWellFormed()) throw new ValueProblem({ key: 'halfCharacter', values: { field } });
  if (text.includes('\0')) throw new ValueProblem({ key: 'nul', values: { field } });
  if (field !== 'username') return;
  const found = findUnprintable(text);
  if (found === undefined) return;
  const { key, character } = found;
  throw new ValueProblem({ key, values: { field, character } });
}

/**
 * Refuses a text that is too long, in the server's words. In a request, a huge one would keep every other row out.
 *
 * @throws {ValueProblem}
 */
export function requireLength(name: string, text: string, max: number | undefined): void {
  if (max === undefined || !hasMoreCharacters(text, max)) return;
  throw new ValueProblem({ key: 'tooLong', values: { field: name, max, count: countCharacters(text) } });
}

const shownMax = 100;

/** A message may quote a value of megabytes. */
function shorten(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

function toText(field: UserField, value: unknown): string {
  const text = cellText(field, value);
  if (text === value && mayBeConverted.has(field)) refuseConvertedCode(field, text);
  return text;
}

/**
 * Refuses the text of a code that a spreadsheet took for a number or a date.
 *
 * @throws {ValueProblem}
 */
export function refuseConvertedCode(name: string, text: string): void {
  const conversion = spreadsheetMarks.find(([mark]) => mark.test(text));
  if (conversion)
    throw new ValueProblem({ key: conversion[1], values: { field: name, value: shorten(text) } });
}

/**
 * Returns the text of a value; for a spreadsheet's number, its digits.
 *
 * @throws {ValueProblem} for an error, a date, a rounded number and anything else that is not a text
 */
export function cellText(name: string, value: unknown): string {
  refuseFault(name, value, false);
  if (value instanceof SheetNumber) return exactDigits(name, value);
  if (value instanceof Date) {
    throw new ValueProblem({ key: 'isDate', values: { field: name } });
  }
  if (typeof value !== 'string')
    throw new ValueProblem({ key: 'notText', values: { field: name, kind: kindOf(value) } });
  return value;
}

/** Fields that only look like numbers: spreadsheets shorten their digits and turn slashes into dates. */
const mayBeConverted: ReadonlySet<UserField> = new Set(['username', 'phone', 'unique_code', 'store_codes']);

const spreadsheetMarks: readonly (readonly [RegExp, 'shortened' | 'madeDate'])[] = [
  [/^-?\d(?:[.,]\d+)?E\+\d+$/i, 'shortened'],
  [/^(?:\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}\/\d{1,2}\/\d{1,2})$/, 'madeDate'],
];

/** A spreadsheet keeps 15 digits and replaces further ones with zeros. */
const sheetDigitsMax = 15;

function exactDigits(field: string, { digits }: SheetNumber): string {
  const number = Number(digits);
  const exact = Number.isInteger(number) ? String(BigInt(number)) : digits;
  // The digits begin with zeros only if the cell shows them.
  const zeros = /^0+(?=\d)/.exec(digits)?.[0] ?? '';
  if (/^-?[\d.]+$/.test(exact) && exact.replace(/\D/g, '').length <= sheetDigitsMax) return zeros + exact;
  throw new ValueProblem({ key: 'rounded', values: { field } });
}

export function isSecret(field: string): boolean {
  return field === 'password' || field === 'password_hash';
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value === 'bigint' ? 'number' : typeof value;
}
