import type { TSchema } from 'typebox';
import { ApiError } from '../api-error.ts';

/** Reads one value that was sent, or throws 1001 naming it by `name`. */
export type FieldReader = (value: unknown, name: string) => unknown;

/** The keywords of JSON Schema that the contract's inputs use. */
interface InputSchema {
  readonly type: 'string' | 'integer' | 'array';
  readonly format?: string;
  readonly enum?: readonly number[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What the pattern asks for, in words for the caller. */
  readonly patternMeaning?: string;
  readonly items?: TSchema;
}

const understood = new Set(
  'type format enum minLength maxLength pattern patternMeaning items description'.split(' '),
);

/**
 * Makes the reader of a field from its schema. A general validator would do for most of it, but none holds
 * a 64-bit integer exactly, and the messages are for people.
 *
 * @throws {TypeError} for a schema with a keyword that no reader enforces
 */
export function fieldReader(schema: TSchema): FieldReader {
  const unknown = Object.keys(schema).filter(
    (keyword) => !keyword.startsWith('~') && !understood.has(keyword),
  );
  if (unknown.length > 0) throw new TypeError(`no reader enforces the schema keyword ${unknown.join(', ')}`);
  const input = schema as unknown as InputSchema;
  if (input.type === 'string') return stringReader(input);
  if (input.type === 'array' && input.items !== undefined) return arrayReader(fieldReader(input.items));
  if (input.format === 'int64') return readInt64;
  if (input.format === 'int32') return int32Reader(input);
  throw new TypeError(`no reader for a schema of type ${input.type} and format ${input.format}`);
}

function invalid(name: string, rule: string): ApiError {
  return new ApiError(1001, `${name} must be ${rule}`);
}

function stringReader({
  minLength = 0,
  maxLength,
  pattern,
  patternMeaning = `like ${pattern}`,
}: InputSchema): FieldReader {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (value, name) => {
    if (typeof value !== 'string') throw invalid(name, 'a string');
    if (value.length < minLength) throw new ApiError(1001, `${name} must not be empty`);
    if (maxLength !== undefined && longerThan(value, maxLength)) {
      throw invalid(name, `at most ${maxLength} characters; it has ${[...value].length}`);
    }
    if (!value.isWellFormed()) throw invalid(name, 'valid Unicode; it has half of a surrogate pair');
    if (value.includes('\0')) throw invalid(name, 'free of NUL characters');
    if (expression !== undefined && !expression.test(value)) throw invalid(name, patternMeaning);
    return value;
  };
}

/** Counts code points, and only where the count of code units leaves it open. */
function longerThan(value: string, charactersMax: number): boolean {
  return value.length > charactersMax && [...value].length > charactersMax;
}

function arrayReader(readItem: FieldReader): FieldReader {
  return (value, name) => {
    if (!Array.isArray(value)) throw invalid(name, 'an array');
    return value.map((item, index) => readItem(item, `${name}[${index}]`));
  };
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

function readInt64(value: unknown, name: string): bigint {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) {
    throw invalid(name, 'an integer');
  }
  const exact = BigInt(value);
  if (exact < int64Min || exact > int64Max || (typeof value === 'number' && !Number.isSafeInteger(value))) {
    throw invalid(name, `an integer from ${int64Min} to ${int64Max}, written without exponent or fraction`);
  }
  return exact;
}

const int32Min = -(2 ** 31);
const int32Max = 2 ** 31 - 1;

function int32Reader({ enum: accepted }: InputSchema): FieldReader {
  return (value, name) => {
    if (accepted !== undefined && !accepted.includes(value as number)) {
      throw invalid(name, `one of ${accepted.join(', ')}`);
    }
    if (typeof value !== 'number' || !Number.isInteger(value) || value < int32Min || value > int32Max) {
      throw invalid(name, `an integer from ${int32Min} to ${int32Max}`);
    }
    // -0 is 0 to every caller.
    return value + 0;
  };
}
