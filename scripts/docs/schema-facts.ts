import { type Operation, overlooksEmptyParameter } from '@fieldroster/contract';

/** A JSON Schema of the contract, limited to what the documents use. */
export interface FieldSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly patternMeaning?: string;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly writeOnly?: boolean;
  readonly 'x-unit'?: string;
}

/** One field of an object schema. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: FieldSchema;
}

/**
 * Lists the fields of a schema. Reads the contract's object types, which carry more than documents need, as
 * plain JSON Schema.
 */
export function fieldsOf(schema: object | undefined): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as FieldSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }));
}

/**
 * Returns the schema of a string that may also be empty, which counts as leaving it out. That is how the server reads an
 * optional field with a least length.
 */
export function orEmpty(schema: FieldSchema): FieldSchema {
  const { minLength, pattern, description = 'A string', ...rest } = schema;
  return {
    ...rest,
    description: description.includes('empty') ? description : `${description}; empty counts as left out`,
    ...(pattern !== undefined && { pattern: `^$|${pattern}` }),
  };
}

/** Returns the schema of an object in a body as the server reads it. */
export function asRead(schema: FieldSchema): FieldSchema {
  const { properties, required = [], items } = schema;
  if (items !== undefined) return { ...schema, items: asRead(items) };
  if (properties === undefined) return schema;
  const fields = Object.entries(properties).map(([name, property]) => {
    const mayBeEmpty = !required.includes(name) && property.minLength !== undefined;
    return [name, asRead(mayBeEmpty ? orEmpty(property) : property)];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Returns the schema of the query parameters as the server reads them. Most operations refuse an empty one. */
export function queryAsRead(operation: Pick<Operation, 'number' | 'method' | 'query'>): FieldSchema {
  const { properties = {}, required = [] } = (operation.query ?? {}) as FieldSchema;
  const parameters = Object.entries(properties).map(([name, property]) => {
    const { type, minLength } = property;
    if (type !== 'string' || property.enum !== undefined) return [name, property];
    if (required.includes(name) || !overlooksEmptyParameter(operation, name))
      return [name, { ...property, minLength: minLength ?? 1 }];
    return [name, minLength === undefined ? property : orEmpty(property)];
  });
  return { properties: Object.fromEntries(parameters), required };
}

/** Returns the type as the interface names it: int64, string, array of string. */
export function typeName({ type, format, items }: FieldSchema): string {
  if (type === 'array') return `array of ${typeName(items ?? {})}`;
  if (type === 'integer') return format ?? 'integer';
  return type ?? 'any value';
}

/** Describes the limits in words; empty if there are none. */
export function limitsOf(schema: FieldSchema): string {
  const {
    minLength = 0,
    maxLength,
    minimum,
    maximum,
    minItems = 0,
    maxItems,
    patternMeaning,
    enum: values,
    items,
  } = schema;
  const length = lengthOf(minLength, maxLength);
  const listed = values === undefined ? '' : values.join(', ');
  const each = items === undefined || items.type === 'object' ? '' : limitsOf(items);
  const ofEach = each === '' ? '' : `each: ${each}`;
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
  const fewest = minItems > 0 ? `${minItems} to` : 'at most';
  const count = maxItems === undefined ? '' : `${fewest} ${maxItems} entries`;
  return [length, count, range, patternMeaning ?? '', listed, ofEach]
    .filter((part) => part !== '')
    .join('; ');
}

function lengthOf(min: number, max: number | undefined): string {
  if (max !== undefined) return min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`;
  return min > 0 ? 'not empty' : '';
}
