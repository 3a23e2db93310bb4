import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { type Operation, type OperationKey, operations } from '@fieldroster/contract';
import { startTestServer } from '../../test/test-server.ts';

interface Schema {
  readonly type: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Documented {
  readonly parameters: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const file = new URL('../../../../docs/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(file, 'utf8'));

const server = await startTestServer({ settings: { rateLimit: 0 } });
after(() => server.close());

/** Integers beyond what a double holds are written as text, and put into the JSON as they are. */
type Value = { readonly json: string; readonly value: unknown };

const written = (value: unknown): Value => ({ json: JSON.stringify(value), value });

const int64Edges = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n) - 1n];
const int32Edges = [-(2n ** 31n), 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n) - 1n];

/** Values of every type, and those at the edges of the schema and just beyond them. */
function edgesOf({ maxLength, minLength = 0, minimum, maximum, enum: words = [] }: Schema): Value[] {
  const lengths = [minLength, minLength + 1, minLength - 1];
  if (maxLength !== undefined) lengths.push(maxLength, maxLength + 1);
  const texts = lengths.filter((length) => length >= 0).map((length) => 'x'.repeat(length));
  const numbers = [minimum, maximum].flatMap((n) => (n === undefined ? [] : [n - 1, n, n + 1]));
  const values = [
    null,
    '',
    ' ',
    ' x',
    'x\n',
    '1',
    'true',
    0,
    1,
    1.5,
    true,
    false,
    [],
    {},
    ...texts,
    ...numbers,
  ];
  const integers = [...int64Edges, ...int32Edges].map((value) => ({ json: String(value), value }));
  return [...[...values, ...words].map(written), ...integers];
}

/** Returns whether a value keeps to a schema, as JSON Schema defines it. */
function accepts(schema: Schema, value: unknown): boolean {
  const types = [schema.type].flat();
  if (!types.some((type) => isOfType(type, value))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (typeof value === 'string') return acceptsText(schema, value);
  if (typeof value === 'bigint' || typeof value === 'number') return acceptsNumber(schema, BigInt(value));
  if (Array.isArray(value)) return value.length >= (schema.minItems ?? 0);
  return (
    typeof value !== 'object' || value === null || (schema.required ?? []).every((name) => name in value)
  );
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function acceptsText(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '' }: Schema,
  text: string,
) {
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern, 'u').test(text);
}

function acceptsNumber({ format, minimum, maximum }: Schema, value: bigint): boolean {
  const bits = format === 'int64' ? 63n : 31n;
  const isInside = value >= -(2n ** bits) && value < 2n ** bits;
  return isInside && value >= (minimum ?? value) && value <= (maximum ?? value);
}

/** Values of required fields, of no row that exists: what the server answers about rows is not about the schema. */
const samples: Readonly<Record<string, unknown>> = {
  username: 'nobody',
  password: 'p',
  new_password: 'p',
  name: 'n',
  code: 'none',
  store_code: 'none',
  status: 'active',
};

function sampleOf(name: string, schema: Schema): unknown {
  if (schema.type === 'array') return schema.minItems === 1 ? [requiredSamples(schema.items as Schema)] : [];
  return samples[name] ?? 987_654_321;
}

/** Fields that an operation needs beside another one, though neither is required alone. */
const companions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  id: { username: 'nobody' },
  user_id: { username: 'nobody' },
  include_children: { org_id: 987_654_321 },
};

function companionsOf(name: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const identifier = ['id', 'user_id'].find((each) => names.includes(each));
  const own = companions[name] ?? (identifier === undefined ? {} : { [identifier]: 987_654_321 });
  return Object.fromEntries(Object.entries(own).filter(([each]) => names.includes(each)));
}

function requiredSamples({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sampleOf(name, properties[name] as Schema)]));
}

/** A field of a body, and how a body with a value in it is written. */
interface BodyField {
  readonly path: string;
  readonly schema: Schema;
  readonly write: (json: string) => string;
}

function fieldsOf(schema: Schema, path = '', write: (json: string) => string = (json) => json): BodyField[] {
  const names = Object.keys(schema.properties ?? {});
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const rest = { ...companionsOf(name, names), ...requiredSamples(schema) };
    delete rest[name];
    const others = Object.entries(rest).map(
      ([each, value]) => `${JSON.stringify(each)}:${JSON.stringify(value)},`,
    );
    const writeField = (json: string) => write(`{${others.join('')}${JSON.stringify(name)}:${json}}`);
    const inner =
      field.items === undefined
        ? []
        : fieldsOf(field.items, `${path}${name}[].`, (json) => writeField(`[${json}]`));
    return [{ path: path + name, schema: field, write: writeField }, ...inner];
  });
}

for (const [key, operation] of Object.entries(operations) as [OperationKey, Operation][]) {
  const { parameters, requestBody }: Documented = paths[operation.path][operation.method.toLowerCase()];
  const body = requestBody?.content['application/json'].schema;

  if (body !== undefined)
    test(`${key} reads exactly the values that the document allows in each field`, async () => {
      for (const { path, schema, write } of fieldsOf(body))
        for (const { json, value } of edgesOf(schema)) {
          if (path.endsWith('password_hash') && typeof value === 'string' && value !== '') continue;
          const { envelope, text } = await server.call(operation.method, operation.path, write(json));
          const isRead = envelope.code !== 1001 && !text.includes('"code":1001');
          assert.equal(
            isRead,
            accepts(schema, value),
            `${path}: ${json.slice(0, 300)}: ${text.slice(0, 300)}`,
          );
        }
    });

  if (parameters.length > 0)
    test(`${key} reads exactly the values that the document allows in each parameter`, async () => {
      const names = parameters.map(({ name }) => name);
      for (const { name, schema } of parameters)
        for (const { json, value } of edgesOf(schema)) {
          if (hasFurtherRules(name, String(value))) continue;
          if (typeof value === 'object' || (schema.type !== 'string' && value === '')) continue;
          const required = parameters.filter((each) => each.required && each.name !== name);
          const rest = Object.fromEntries(
            required.map((each) => [each.name, sampleOf(each.name, each.schema)]),
          );
          const query = {
            ...companionsOf(name, names),
            ...rest,
            [name]: typeof value === 'string' ? value : json,
          };
          const search = Object.entries(query).map(
            ([each, given]) => `${each}=${encodeURIComponent(String(given))}`,
          );
          const { envelope, text } = await server.call(
            operation.method,
            `${operation.path}?${search.join('&')}`,
          );
          // A query has text only, so a text that is written like a number is one.
          const read = schema.type === 'string' ? String(query[name]) : parsed(String(query[name]));
          assert.equal(
            envelope.code !== 1001,
            accepts(schema, read),
            `${name}=${json}: ${text.slice(0, 300)}`,
          );
        }
    });
}

/** Returns whether the text breaks a rule that no schema can state: a cursor is opaque, and times are not far ahead. */
function hasFurtherRules(name: string, text: string): boolean {
  if (name === 'cursor') return text !== '' && text.length <= 2048;
  return (
    ['since', 'until', 'updated_since'].includes(name) && /^\d{10,19}$/.test(text) && BigInt(text) < 2n ** 63n
  );
}

function parsed(text: string): unknown {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
