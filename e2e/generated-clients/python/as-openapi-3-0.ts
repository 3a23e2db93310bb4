type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface Document {
  readonly info: object;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/**
 * Makes a document that was converted from 3.1 readable for a generator for OpenAPI 3.0. Drops the summary, the license,
 * the extensions and `null` in lists of values. Joins the parts of an `allOf`, of which the generator reads only the
 * first.
 */
export function asOpenApi30(document: Document): Json {
  const known = Object.entries(document).filter(([name]) => !name.startsWith('x-'));
  const { summary: _, license: __, ...info } = document.info as Record<string, unknown>;
  return rewrite({ ...Object.fromEntries(known), info } as Json, document.components.schemas);
}

function rewrite(value: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((part) => rewrite(part, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value.allOf)) return joined(value.allOf, schemas);
  const entries = Object.entries(value).map(([name, part]): [string, Json] =>
    name === 'enum' && Array.isArray(part)
      ? [name, part.filter((choice) => choice !== null)]
      : [name, rewrite(part, schemas)],
  );
  return Object.fromEntries(entries);
}

function joined(parts: readonly Json[], schemas: Readonly<Record<string, Json>>): Json {
  const resolved = parts.map((part) => rewrite(referred(part, schemas), schemas)) as Schema[];
  return {
    type: 'object',
    properties: Object.assign({}, ...resolved.map(({ properties }) => properties)),
    required: resolved.flatMap(({ required = [] }) => required),
  };
}

interface Schema {
  readonly properties?: { [name: string]: Json };
  readonly required?: Json[];
}

function referred(part: Json, schemas: Readonly<Record<string, Json>>): Json {
  const reference = (part as { $ref?: string }).$ref;
  return reference === undefined ? part : (schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {});
}
