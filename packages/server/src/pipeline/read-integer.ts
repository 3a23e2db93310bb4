import type { ApiError } from '../api-error.ts';
import type { FieldReader, InputSchema } from './input-schema.ts';
import { invalid, ofOtherType } from './wrong-value.ts';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Reads an integer of 64 bits, and keeps every digit. */
export function readInt64(value: unknown, name: string): bigint {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) {
    throw notAnInteger(name, 'an integer', value);
  }
  const exact = BigInt(value);
  if (exact < int64Min || exact > int64Max || (typeof value === 'number' && !Number.isSafeInteger(value))) {
    throw invalid(name, `an integer from ${int64Min} to ${int64Max}, written without exponent or fraction`);
  }
  return exact;
}

function notAnInteger(name: string, rule: string, value: unknown): ApiError {
  return typeof value === 'number' || typeof value === 'bigint'
    ? invalid(name, `${rule}; it is ${value}`)
    : ofOtherType(name, rule, value);
}

const int32Min = -(2 ** 31);
const int32Max = 2 ** 31 - 1;

/** Makes the reader of an integer of 32 bits from its range or its accepted values. */
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
    if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum) {
      throw notAnInteger(name, `an integer from ${minimum} to ${maximum}`, value);
    }
    // Turns -0 into 0.
    return value + 0;
  };
}
