/** The parts of JSON Schema that the document uses for fields. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, WrittenAnswer>> }>>;
  readonly 'x-name': string;
  readonly 'x-scope': string;
  readonly 'x-codes': readonly number[];
  readonly 'x-extension'?: boolean;
}

interface WrittenAnswer {
  readonly schema: WrittenSchema;
  readonly examples?: { readonly success?: { readonly value: unknown } };
}

/** A schema as written: by reference, or made of several. */
interface WrittenSchema extends Omit<Schema, 'items' | 'properties'> {
  readonly $ref?: string;
  readonly allOf?: readonly WrittenSchema[];
  readonly items?: WrittenSchema;
  readonly properties?: Readonly<Record<string, WrittenSchema>>;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, WrittenSchema>> };
  readonly 'x-error-codes': Readonly<Record<string, Omit<ErrorCode, 'code'>>>;
}

/** A code that answers carry. Texts may have code in backticks. */
export interface ErrorCode {
  readonly code: number;
  /** Name as in the documents, such as `username-taken`. */
  readonly name: string;
  readonly meaning: string;
  readonly cause: string;
  readonly cure: string;
  readonly standardStatus: number;
  readonly statusAlwaysSent: boolean;
}

/** An operation as the page shows it. */
export interface Operation {
  readonly id: string;
  /** Name as in the documents, such as `create-user`. */
  readonly name: string;
  readonly method: string;
  /** Path below the base path. */
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: string;
  readonly isExtension: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  readonly data: Schema | undefined;
  /** The envelope of a successful call, as an example. */
  readonly exampleAnswer: unknown;
  readonly codes: readonly ErrorCode[];
}

const json = 'application/json';

/** Reads the operations from the OpenAPI document, ordered by group. */
export function readOperations(document: OpenApiDocument): Operation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation, document)),
  );
  const groups = [...groupNames.values()];
  return operations.sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

/** Reads every code of the document, in numeric order. */
export function readErrorCodes({ 'x-error-codes': codes }: OpenApiDocument): ErrorCode[] {
  return Object.entries(codes).map(([code, entry]) => ({ code: Number(code), ...entry }));
}

function readOperation(
  path: string,
  method: string,
  operation: OpenApiOperation,
  document: OpenApiDocument,
): Operation {
  const body = operation.requestBody?.content[json];
  const answer = operation.responses['200']?.content?.[json];
  const codes = new Set(operation['x-codes']);
  return {
    id: operation.operationId,
    name: operation['x-name'],
    method: method.toUpperCase(),
    path,
    group: groupOf(path, operation.tags[0] ?? ''),
    summary: operation.summary,
    description: operation.description,
    scope: operation['x-scope'],
    isExtension: operation['x-extension'] === true,
    parameters: operation.parameters ?? [],
    body: body && { schema: body.schema, example: body.example },
    data: answer && resolve(answer.schema, document).properties?.data,
    exampleAnswer: answer?.examples?.success?.value,
    codes: readErrorCodes(document).filter(({ code }) => codes.has(code)),
  };
}

/** Replaces references with what they refer to, and joins the parts of `allOf`. */
function resolve(
  { $ref, allOf = [], items, properties, ...rest }: WrittenSchema,
  document: OpenApiDocument,
): Schema {
  const referred = $ref === undefined ? [] : [document.components.schemas[nameIn($ref)] ?? {}];
  const parts = [...referred, ...allOf].map((part) => resolve(part, document));
  const ownProperties = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    resolve(property, document),
  ]);
  const all = Object.assign({}, ...parts.map((part) => part.properties), Object.fromEntries(ownProperties));
  return {
    ...Object.assign({}, ...parts),
    ...rest,
    ...(items !== undefined && { items: resolve(items, document) }),
    ...(Object.keys(all).length > 0 && { properties: all }),
  };
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

const groupNames = new Map([
  ['users', 'Users'],
  ['binding', 'Bindings'],
  ['stores', 'Stores'],
  ['roles', 'Roles'],
  ['orgs', 'Organizations'],
  ['audit', 'Audit'],
  ['', 'More'],
]);

function groupOf(path: string, tag: string): string {
  const isBinding = /^\/user\/(role|org|stores?)$/.test(path);
  return groupNames.get(isBinding ? 'binding' : tag) ?? 'More';
}
