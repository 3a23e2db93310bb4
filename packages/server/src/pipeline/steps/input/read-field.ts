import type { CheckedEntry } from '@fieldroster/contract';
import type { TObject, TSchema } from 'typebox';
import { quoteVisibly } from '../../../directory/quote-visibly.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { mapInSlices, nextSlice, TimeSlice } from '../../../slices/time-slice.ts';
import type { FieldReader, InputSchema } from './input-schema.ts';
import { int32Reader, readInt64 } from './read-integer.ts';
import { enumReader, stringReader } from './read-text.ts';
import { similarName } from './similar-name.ts';
import { ofOtherType } from './wrong-value.ts';

/** The keywords that readers enforce, and those that only describe a field. */
const enforcedKeywords = new Set([
  'type',
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'patternMeaning',
  'items',
  'minItems',
  'maxItems',
  'checkedOneByOne',
  'properties',
  'required',
  'description',
  'writeOnly',
  'x-unit',
]);

/**
 * Makes the reader of a field from its schema. A general validator would do for most of it, but none keeps 64-bit
 * integers exact, and the messages are written for people.
 *
 * @throws {TypeError} for a schema with a keyword that no reader enforces
 */
export function fieldReader(schema: TSchema): FieldReader {
  const unknown = Object.keys(schema).filter(
    (keyword) => !keyword.startsWith('~') && !enforcedKeywords.has(keyword),
  );
  if (unknown.length > 0) throw new TypeError(`no reader enforces the schema keyword ${unknown.join(', ')}`);
  const input = schema as unknown as InputSchema;
  if (input.type === 'string') return input.enum === undefined ? stringReader(input) : enumReader(input.enum);
  if (input.type === 'boolean') return readBoolean;
  if (input.type === 'object') return objectReader(schema as TObject);
  if (input.type === 'array' && input.items !== undefined) {
    return arrayReader(input, entryReader(fieldReader(input.items), input));
  }
  if (input.format === 'int64') return readInt64;
  if (input.format === 'int32') return int32Reader(input);
  throw new TypeError(`no reader for a schema of type ${input.type} and format ${input.format}`);
}

/** Does the same, but reads an array of objects in slices of time, as a promise. */
export function fieldReaderInSlices(schema: TSchema): FieldReader {
  const input = schema as unknown as InputSchema;
  const { type, items } = input;
  if (type !== 'array' || items === undefined || (items as { type?: string }).type !== 'object') {
    return fieldReader(schema);
  }
  const readItem = entryReader(fieldReader(items), input);
  return (value, name) => {
    const read = mapInSlices(itemsOf(value, name, input), new TimeSlice(nextSlice), (item, index) =>
      readItem(item, `${name}[${index}]`),
    );
    // Another field may be refused before this promise is awaited.
    read.catch(() => {});
    return read;
  };
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  /** Whether an empty string counts as absent; typed clients send one for an unset string. */
  readonly emptyIsAbsent: boolean;
  readonly read: FieldReader;
}

/**
 * Reads the properties of an object by name, from any source.
 *
 * @param given returns every name in the source
 */
export type FieldsReader = (
  find: (name: string) => unknown,
  prefix?: string,
  given?: () => Iterable<string>,
) => Record<string, unknown>;

/** @param makeReader makes the reader of one property, suited to the source of the values */
export function fieldsReader(schema: TObject | undefined, makeReader: typeof fieldReader): FieldsReader {
  const fields = fieldsOf(schema, makeReader);
  return (find, prefix = '', given = () => []) => {
    const input: Record<string, unknown> = {};
    for (const { name, required, emptyIsAbsent, read } of fields) {
      const value = find(name);
      if (value === '' && emptyIsAbsent) continue;
      if (value !== undefined && value !== null) input[name] = read(value, prefix + name);
      else if (required) throw missing(prefix + name, similarName(name, given()));
    }
    return input;
  };
}

function missing(field: string, similar: string | undefined): ApiError {
  if (similar === undefined) return new ApiError(1001, { key: 'required', values: { field } });
  return new ApiError(1001, { key: 'otherSpelling', values: { field, value: quoteVisibly(similar) } });
}

function fieldsOf(schema: TObject | undefined, makeReader: typeof fieldReader): Field[] {
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    required: required.has(name),
    emptyIsAbsent: !required.has(name) && 'minLength' in property,
    read: makeReader(property),
  }));
}

function objectReader(schema: TObject): FieldReader {
  const readFields = fieldsReader(schema, fieldReader);
  return (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw ofOtherType(name, 'an object', value);
    }
    const given = value as Record<string, unknown>;
    return readFields(
      (key) => (Object.hasOwn(given, key) ? given[key] : undefined),
      `${name}.`,
      () => Object.keys(given),
    );
  };
}

function readBoolean(value: unknown, name: string): unknown {
  if (typeof value !== 'boolean') throw ofOtherType(name, 'true or false', value);
  return value;
}

function arrayReader(schema: InputSchema, readItem: FieldReader): FieldReader {
  return (value, name) =>
    itemsOf(value, name, schema).map((item, index) => readItem(item, `${name}[${index}]`));
}

function itemsOf(
  value: unknown,
  name: string,
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: InputSchema,
): readonly unknown[] {
  if (!Array.isArray(value)) throw ofOtherType(name, 'an array', value);
  if (value.length < minItems) throw new ApiError(1001, { key: 'emptyValue', values: { field: name } });
  if (value.length > maxItems) {
    const values = { field: name, max: maxItems, count: value.length };
    throw new ApiError(1001, { key: 'tooMany', values });
  }
  return value;
}

function entryReader(read: FieldReader, { checkedOneByOne }: InputSchema): FieldReader {
  return checkedOneByOne === true ? (value, name) => checkEntry(read, value, name) : read;
}

function checkEntry(read: FieldReader, given: unknown, name: string): CheckedEntry<unknown> {
  try {
    return { value: read(given, name) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, problem: fault } = error;
    return { problem: message, ...(fault && { fault }), given };
  }
}
