import { countCharacters, hasMoreCharacters } from '@fieldroster/contract/characters';
import { isFormulaError, unguardFormula } from '@fieldroster/contract/formula-guard';
import { limits } from '@fieldroster/contract/limits';
import { SheetFault, SheetNumber } from './source-row.ts';
import { charactersMax, genderWords, type UserField } from './user-fields.ts';

/** How to convert a cell or a JSON value to the value of a field. */
export interface ValueRules {
  /** Separates several store codes in one cell. */
  readonly storeSeparator: string;
  /** Whether an empty cell clears the field instead of leaving it unchanged. */
  readonly clearEmpty: boolean;
  /** Whether texts may have the formula guard that our export writes into tables. */
  readonly mayBeGuarded: boolean;
}

/** Thrown for an invalid value. The message says what is wrong, and never contains a password. */
export class ValueProblem extends Error {
  override readonly name = 'ValueProblem';
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
  if (field === 'role_id' || field === 'org_id') return readId(field, value);
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
  if (isTable && typeof value === 'string' && isFormulaError(value)) throw faultProblem(name, value);
  if (value instanceof SheetFault) throw faultProblem(name, value.text);
}

function faultProblem(name: string, text: string): ValueProblem {
  if (!text.startsWith('=')) {
    return new ValueProblem(
      `${name} is the error ${text}; correct the formula in the spreadsheet, or enter the value itself`,
    );
  }
  // The formula of a password may contain it.
  const formula = isSecret(name) ? 'a formula' : `the formula ${shorten(text)},`;
  return new ValueProblem(
    `${name} is ${formula} whose result is not in the file; open the file in a spreadsheet program and save it there, or enter the value itself`,
  );
}

export function readId(field: string, value: unknown): bigint | undefined {
  if (Array.isArray(value)) throw new ValueProblem(`${field} must be one whole number, not a list`);
  const digits = value instanceof SheetNumber ? exactDigits(field, value) : String(value);
  if (digits === '') return undefined;
  if (/^-?\d{1,19}$/.test(digits)) return BigInt(digits);
  throw new ValueProblem(`${field} is ${JSON.stringify(shorten(digits))}; it must be a whole number`);
}

function readGender(value: unknown, { clearEmpty }: ValueRules): 0 | 1 | 2 | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const text = isNumber ? String(value) : cellText('gender', value).trim().toLowerCase();
  if (text === '') return clearEmpty ? 0 : undefined;
  if (Object.hasOwn(genderWords, text)) return genderWords[text];
  throw new ValueProblem(
    `gender is ${JSON.stringify(shorten(text))}; it must be male or female, or 0 for not given, 1 for male, 2 for female`,
  );
}

function readStoreCodes(value: unknown, rules: ValueRules): readonly string[] | undefined {
  if (Array.isArray(value)) {
    if (value.every((code) => typeof code === 'string')) return requireCodes(value);
    throw new ValueProblem('store_codes must contain only strings');
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
  throw new ValueProblem(
    `store_codes has a code of ${countCharacters(long)} characters; a store code has at most ${max}`,
  );
}

function readText(field: UserField, value: unknown, { clearEmpty }: ValueRules): string | undefined {
  const text = toText(field, value);
  requireLength(field, text, charactersMax[field]);
  // An import never removes a password.
  return text !== '' || (clearEmpty && !isSecret(field)) ? text : undefined;
}

/**
 * Refuses a text that is too long, in the server's words. In a request, a huge one would keep every other row out.
 *
 * @throws {ValueProblem}
 */
export function requireLength(name: string, text: string, max: number | undefined): void {
  if (max === undefined || !hasMoreCharacters(text, max)) return;
  throw new ValueProblem(`${name} must be at most ${max} characters; it has ${countCharacters(text)}`);
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
  if (conversion) throw new ValueProblem(`${name} is ${shorten(text)}, ${conversion[1]}; ${asText}`);
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
    throw new ValueProblem(`${name} is a date, which the spreadsheet may have made of it; ${asText}`);
  }
  if (typeof value !== 'string') throw new ValueProblem(`${name} must be a text, not a ${kindOf(value)}`);
  return value;
}

const asText = 'format the column as text there, and enter the value again';

/** Fields that only look like numbers: spreadsheets shorten their digits and turn slashes into dates. */
const mayBeConverted: ReadonlySet<UserField> = new Set(['username', 'phone', 'unique_code', 'store_codes']);

const spreadsheetMarks: readonly (readonly [RegExp, string])[] = [
  [/^-?\d(?:[.,]\d+)?E\+\d+$/i, 'a number that a spreadsheet has shortened'],
  [/^(?:\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}\/\d{1,2}\/\d{1,2})$/, 'a date that a spreadsheet has made'],
];

/** A spreadsheet keeps 15 digits and replaces further ones with zeros. */
const sheetDigitsMax = 15;

function exactDigits(field: string, { digits }: SheetNumber): string {
  const number = Number(digits);
  const exact = Number.isInteger(number) ? String(BigInt(number)) : digits;
  if (/^-?[\d.]+$/.test(exact) && exact.replace(/\D/g, '').length <= sheetDigitsMax) return exact;
  throw new ValueProblem(`${field} is a number that the spreadsheet has rounded; ${asText}`);
}

export function isSecret(field: string): boolean {
  return field === 'password' || field === 'password_hash';
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value === 'bigint' ? 'number' : typeof value;
}
