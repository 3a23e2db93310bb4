import type { Operation } from '@fieldroster/contract';

/** The JSON Schema keywords that the contract uses. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly (number | string)[];
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly maxLength?: number;
}

/** How to write a schema: as something to send or something received. */
interface Writing {
  readonly id: string;
  readonly sent: boolean;
}

/** Returns the TypeScript type of an input. An optional field may also be null or undefined. */
export function inputType({ query, body }: Operation): string {
  return typeOf((query ?? body) as Schema, { id: 'IdInput', sent: true });
}

/** Returns the TypeScript type of an answer's data; its int64 values have the type `Id`. */
export function dataType(schema: Schema): string {
  return typeOf(schema, { id: 'Id', sent: false });
}

function typeOf(schema: Schema, writing: Writing): string {
  if (schema.properties !== undefined) return objectType(schema.properties, schema.required, writing);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items !== undefined) return arrayType(schema.items, writing);
  if (schema.format === 'int64') return writing.id;
  if (schema.format === 'int32') return 'number';
  if (schema.type === 'string' || schema.type === 'boolean') return schema.type;
  if (schema.type === 'object') return 'Record<string, unknown>';
  throw new TypeError(`no TypeScript type for the schema ${JSON.stringify(schema)}`);
}

function arrayType(items: Schema, writing: Writing): string {
  return `${writing.sent ? 'readonly ' : ''}(${typeOf(items, writing)})[]`;
}

function objectType(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  writing: Writing,
): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = !required.includes(name);
    const mark = `${name}${optional ? '?' : ''}`;
    const type = typeOf(field, writing);
    const member = writing.sent
      ? `readonly ${mark}: ${type}${optional ? ' | null | undefined' : ''}`
      : `${mark}: ${type}`;
    return `${comment(field)}${member};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

function comment({ description, maxLength }: Schema): string {
  if (description === undefined) return '';
  const limit = maxLength === undefined ? '' : `; at most ${maxLength} characters`;
  return `/** ${description}${limit}. */\n`;
}

/**
 * Locates the int64 values of an answer: `true` for one, an object for a parent of some. Arrays look like their
 * items.
 */
export interface Int64Shape {
  readonly [name: string]: true | Int64Shape;
}

export function int64Shape(schema: Schema): Int64Shape {
  const fields = Object.entries(schema.properties ?? schema.items?.properties ?? {});
  const shapes = fields.map(
    ([name, field]) => [name, field.format === 'int64' || int64Shape(field)] as const,
  );
  return Object.fromEntries(shapes.filter(([, shape]) => shape === true || Object.keys(shape).length > 0));
}

/** Returns whether an answer's data contains an int64 value. */
export function holdsIds(schema: Schema): boolean {
  return Object.keys(int64Shape(schema)).length > 0;
}
