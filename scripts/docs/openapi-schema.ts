import { namedEntities } from '@fieldroster/contract';
import { asRead, type FieldSchema } from './schema-facts.ts';

/** A JSON Schema in OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const copied = [
  'format',
  'description',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'minItems',
  'maxItems',
  'additionalProperties',
  'writeOnly',
  'x-unit',
] as const;

const known = new Set<string>([
  ...copied,
  'type',
  'patternMeaning',
  'items',
  'properties',
  'required',
  'checkedOneByOne',
]);

/**
 * Converts a schema of the contract to the keywords of OpenAPI. Other keywords of the contract go into the
 * description. A named entity becomes a reference to its schema among the components.
 *
 * @throws {TypeError} for a keyword that the document does not cover yet
 */
export function openApiSchema(schema: FieldSchema): JsonSchema {
  const name = nameByText.get(JSON.stringify(schema));
  return name === undefined ? inlineSchema(schema) : { $ref: `#/components/schemas/${name}` };
}

/** The contract copies schemas when it combines them, so they are recognized by their text. */
const nameByText = new Map(
  Object.entries(namedEntities).map(([name, schema]) => [JSON.stringify(schema), name]),
);

/** Returns the schemas of the named entities. */
export function entitySchemas(): Record<string, JsonSchema> {
  return mapValues(namedEntities as Readonly<Record<string, FieldSchema>>, inlineSchema);
}

function inlineSchema(schema: FieldSchema): JsonSchema {
  const unknown = Object.keys(schema).filter((keyword) => !keyword.startsWith('~') && !known.has(keyword));
  if (unknown.length > 0) throw new TypeError(`no place in OpenAPI for the keyword ${unknown.join(', ')}`);
  const { type, items, properties, required, patternMeaning, description } = schema;
  const plain = copied.filter((keyword) => schema[keyword] !== undefined);
  return {
    type,
    ...Object.fromEntries(plain.map((keyword) => [keyword, schema[keyword]])),
    ...(patternMeaning !== undefined && { description: `${description ?? 'A string'}; ${patternMeaning}` }),
    ...(items !== undefined && { items: openApiSchema(items) }),
    ...(properties !== undefined && { properties: mapValues(properties, openApiSchema) }),
    ...(required !== undefined && required.length > 0 && { required }),
  };
}

/** Converts the schema of a body: an optional field may be null, which means the same as omitting it. */
export function openApiBody(schema: FieldSchema): JsonSchema {
  return withNulls(asRead(schema));
}

function withNulls(schema: FieldSchema): JsonSchema {
  const { properties, required = [], items } = schema;
  if (items !== undefined) return { ...openApiSchema(schema), items: withNulls(items) };
  if (properties === undefined) return openApiSchema(schema);
  const fields = Object.entries(properties).map(([name, property]) => {
    const written = withNulls(property);
    return [name, required.includes(name) ? written : orNull(written)];
  });
  return { ...openApiSchema(schema), properties: Object.fromEntries(fields) };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
