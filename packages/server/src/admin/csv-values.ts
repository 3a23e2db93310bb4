import { CsvError } from './csv-error.ts';

/** Turns the text of one field into its value. Throws `CsvError` that says what must be there. */
export type ReadValue<Value> = (text: string) => Value;

/** Text of a length in code points. */
export function text(minimum: 0 | 1, charactersMax: number): ReadValue<string> {
  return (value) => {
    if (value.length < minimum) throw new CsvError('must not be empty');
    if (value.includes('\0')) throw new CsvError('must not contain a NUL character');
    if (value.length > charactersMax && [...value].length > charactersMax) {
      throw new CsvError(`must have at most ${charactersMax} characters`);
    }
    return value;
  };
}

/** A code that a person can copy: nothing invisible in it. */
export function code(charactersMax: number): ReadValue<string> {
  const read = text(1, charactersMax);
  return (value) => {
    if (/\p{Cc}/u.test(value)) throw new CsvError('must not contain a control character');
    if (/^\s|\s$/.test(value)) throw new CsvError('must not begin or end with white space');
    return read(value);
  };
}

/** A whole number, exact over 64 bits. */
export function integer(minimum: bigint, maximum: bigint): ReadValue<bigint> {
  return (value) => {
    const number = /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined;
    if (number === undefined || number < minimum || number > maximum) {
      throw new CsvError(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

/** Lets a field be empty and mean something of its own. */
export function orEmpty<Value, Empty>(read: ReadValue<Value>, empty: Empty): ReadValue<Value | Empty> {
  return (value) => (value === '' ? empty : read(value));
}

export const int64Max = 2n ** 63n - 1n;
export const int32Max = 2n ** 31n - 1n;
