import { isFormulaError } from '@fieldroster/contract/formula-guard';
import { quoteVisibly } from '../../directory/quote-visibly.ts';
import { ImportFault } from './import-fault.ts';

/** Converts the text of one field. Throws an `ImportFault` that says what is required. */
export type ReadValue<Value> = (text: string) => Value;

/** Reads text of limited length, in code points. Refuses what a spreadsheet saved in place of a value. */
export function text(minimum: 0 | 1, charactersMax: number): ReadValue<string> {
  return (value) => {
    if (value.length < minimum) throw new ImportFault('must not be empty');
    if (value.includes('\0')) throw new ImportFault('must not contain a NUL character');
    if (isFormulaError(value)) {
      throw new ImportFault(
        `is the error ${value}; correct the formula in the spreadsheet, or enter the value itself`,
      );
    }
    if (value.length > charactersMax && [...value].length > charactersMax) {
      throw new ImportFault(`must have at most ${charactersMax} characters`);
    }
    return value;
  };
}

/** Reads a code that a person can copy: no control characters, no white space at its ends. */
export function code(charactersMax: number): ReadValue<string> {
  const read = text(1, charactersMax);
  return (value) => {
    if (/\p{Cc}/u.test(value)) throw new ImportFault('must not contain a control character');
    if (/^\s|\s$/.test(value)) throw new ImportFault('must not begin or end with white space');
    return read(value);
  };
}

/** Reads a whole number, exact up to 64 bits. */
export function integer(minimum: bigint, maximum: bigint): ReadValue<bigint> {
  return (value) => {
    const number = /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined;
    if (number === undefined || number < minimum || number > maximum) {
      const shown = value === '' ? 'empty' : quoteVisibly(shorten(value));
      throw new ImportFault(`is ${shown}; it must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

const charactersShown = 50;

function shorten(value: string): string {
  return value.length > charactersShown ? `${value.slice(0, charactersShown)}…` : value;
}

/** Makes a reader that turns an empty field into `empty`. */
export function orEmpty<Value, Empty>(read: ReadValue<Value>, empty: Empty): ReadValue<Value | Empty> {
  return (value) => (value === '' ? empty : read(value));
}

export const int64Max = 2n ** 63n - 1n;
export const int32Max = 2n ** 31n - 1n;
