import { ApiError } from '../../../errors/api-error.ts';
import type { FieldReader, InputSchema } from './input-schema.ts';
import { invalid, ofOtherType, quotesAdvice, shorten, unquoted } from './wrong-value.ts';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

const int64Rule = `an integer from ${int64Min} to ${int64Max}`;

/** Reads an int64 with all its digits. Throws 1001. */
export function readInt64(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') {
    if (value >= int64Min && value <= int64Max) return value;
    throw outOfRange(name, int64Min, int64Max, value);
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  // Its digits were lost when it was parsed.
  if (Number.isInteger(value))
    throw invalid(name, `${int64Rule}, written without exponent or fraction; it is about ${value}`);
  throw notAnInteger(name, isInfinite(value) ? int64Rule : 'an integer', value);
}

type Bound = number | bigint;

function outOfRange(field: string, min: Bound, max: Bound, value: Bound): ApiError {
  const values = { field, min: String(min), max: String(max), value: shorten(String(value)) };
  return new ApiError(1001, { key: 'integerOutOfRange', values });
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

function notAnInteger(name: string, rule: string, value: unknown): ApiError {
  if (isInfinite(value)) return invalid(name, `${rule}; it is beyond the range of a double`);
  if (Number.isNaN(value)) return invalid(name, `${rule}; it is a fraction that a double would round`);
  return typeof value === 'number' || typeof value === 'bigint'
    ? invalid(name, `${rule}; it is ${shorten(String(value))}`)
    : ofOtherType(name, rule, value, isQuotedInteger(value) ? quotesAdvice : '');
}

function isQuotedInteger(value: unknown): boolean {
  return typeof value === 'string' && /^[+-]?[0-9]+$/.test(unquoted(value));
}

const int32Min = -(2 ** 31);
const int32Max = 2 ** 31 - 1;

/** Makes the reader of an int32 from the bounds, or the list, of its schema. The reader throws 1001. */
export function int32Reader({
  enum: accepted,
  minimum = int32Min,
  maximum = int32Max,
}: InputSchema): FieldReader {
  return (value, name) => {
    if (accepted !== undefined && !accepted.includes(value as number)) {
      throw notAnInteger(
        name,
        `an integer: ${accepted.slice(0, -1).join(', ')} or ${accepted.at(-1)}`,
        value,
      );
    }
    if (Number.isInteger(value) && ((value as number) < minimum || (value as number) > maximum)) {
      throw outOfRange(name, minimum, maximum, value as number);
    }
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      throw notAnInteger(name, `an integer from ${minimum} to ${maximum}`, value);
    }
    // Turns -0 into 0.
    return value + 0;
  };
}
