type Json = Readonly<Record<string, unknown>>;

/** The fields that each OpenAPI 3.1 object may have; those ending in `!` are required. */
const allowed = {
  root: ['openapi!', 'info!', 'servers', 'security', 'tags', 'paths!', 'components', 'jsonSchemaDialect'],
  info: ['title!', 'version!', 'summary', 'description', 'license', 'contact', 'termsOfService'],
  components: [
    'securitySchemes',
    'parameters',
    'headers',
    'schemas',
    'responses',
    'requestBodies',
    'examples',
  ],
  operation: [
    'operationId!',
    'responses!',
    'tags',
    'summary',
    'description',
    'parameters',
    'requestBody',
    'security',
  ],
  parameter: ['name!', 'in!', 'schema!', 'required', 'description', 'example', 'examples', 'deprecated'],
  header: ['schema!', 'required', 'description', 'example'],
  requestBody: ['content!', 'required', 'description'],
  response: ['description!', 'headers', 'content'],
  mediaType: ['schema!', 'example', 'examples'],
  example: ['summary', 'description', 'value'],
  securityScheme: ['type!', 'in', 'name', 'description', 'scheme'],
  schema: [
    'type',
    'format',
    'description',
    'enum',
    'minLength',
    'maxLength',
    'pattern',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'additionalProperties',
    'items',
    'properties',
    'required',
    'allOf',
    'writeOnly',
  ],
} as const;

type Kind = keyof typeof allowed;

const methods = ['get', 'put', 'post', 'delete'];

/** Reports deviations from the structure of OpenAPI 3.1, as far as our document uses it. */
export function structureProblems(document: Json): string[] {
  const check = new StructureCheck(document);
  check.run();
  return check.problems;
}

type Visit = (value: Json, at: string) => void;

class StructureCheck {
  readonly problems: string[] = [];
  readonly #document: Json;
  readonly #operationIds = new Set<unknown>();

  constructor(document: Json) {
    this.#document = document;
  }

  run(): void {
    const { openapi, info, paths, components } = this.#document;
    this.#check('root', this.#document, '#');
    this.#check('info', info, '#/info');
    if (!/^3\.1\.\d+$/.test(String(openapi))) this.problems.push('# is not of OpenAPI 3.1');
    for (const [path, item] of Object.entries((paths ?? {}) as Json)) this.#path(path, item as Json);
    this.#components(this.#check('components', components, '#/components') ?? {});
  }

  #path(path: string, item: Json): void {
    if (!path.startsWith('/')) this.problems.push(`${path} does not begin with a slash`);
    const strange = Object.keys(item).filter((method) => !methods.includes(method));
    this.problems.push(...strange.map((method) => `${path} has the method ${method}`));
    this.#each('operation', item, `#/paths/${path}`, this.#operation);
  }

  #operation: Visit = (value, at) => {
    const { operationId, parameters, requestBody, responses } = value;
    if (this.#operationIds.has(operationId)) this.problems.push(`${at} repeats ${operationId}`);
    this.#operationIds.add(operationId);
    this.#each('parameter', parameters, `${at}/parameters`, this.#withSchema);
    this.#each('requestBody', requestBody === undefined ? {} : { requestBody }, at, this.#content);
    this.#each('response', responses, `${at}/responses`, this.#content);
    const strange = Object.keys((responses ?? {}) as Json).filter(
      (status) => !/^([1-5]\d\d|default)$/.test(status),
    );
    this.problems.push(...strange.map((status) => `${at} has the status ${status}`));
  };

  #content: Visit = (value, at) => {
    this.#each('mediaType', value.content, `${at}/content`, (media, where) => {
      this.#withSchema(media, where);
      this.#each('example', media.examples, `${where}/examples`);
    });
    this.#each('header', value.headers, `${at}/headers`, this.#withSchema);
  };

  #withSchema: Visit = ({ schema }, at) => this.#each('schema', { schema }, at, this.#schema);

  #schema: Visit = (value, at) => {
    const { required = [], properties = {}, items, type, enum: values, allOf } = value;
    const missing = (required as string[]).filter((name) => !(name in (properties as Json)));
    this.problems.push(...missing.map((name) => `${at} requires ${name}, which it does not have`));
    if (type === undefined && allOf === undefined) this.problems.push(`${at} lacks type`);
    this.#each('schema', allOf, `${at}/allOf`, this.#schema);
    if (Array.isArray(values) && String(type).includes('null') !== values.includes(null)) {
      this.problems.push(`${at} allows null in one of type and enum only`);
    }
    this.#each('schema', properties, `${at}/properties`, this.#schema);
    this.#each('schema', items === undefined ? {} : { items }, at, this.#schema);
  };

  #components(components: Json): void {
    const at = '#/components';
    this.#each('securityScheme', components.securitySchemes, `${at}/securitySchemes`);
    this.#each('parameter', components.parameters, `${at}/parameters`, this.#withSchema);
    this.#each('header', components.headers, `${at}/headers`, this.#withSchema);
    this.#each('schema', components.schemas, `${at}/schemas`, this.#schema);
    this.#each('response', components.responses, `${at}/responses`, this.#content);
    const known = Object.keys((components.securitySchemes ?? {}) as Json);
    const named = ((this.#document.security ?? []) as Json[]).flatMap((requirement) =>
      Object.keys(requirement),
    );
    this.problems.push(
      ...named.filter((name) => !known.includes(name)).map((name) => `security names ${name}`),
    );
  }

  #each(kind: Kind, record: unknown, at: string, visit: Visit = () => {}): void {
    for (const [name, value] of Object.entries((record ?? {}) as Json)) {
      const object = this.#check(kind, value, `${at}/${name}`);
      if (object !== undefined) visit(object, `${at}/${name}`);
    }
  }

  /** Returns the object; `undefined` for a non-object or a reference to an object that is checked elsewhere. */
  #check(kind: Kind, value: unknown, at: string): Json | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.problems.push(`${at} is not an object`);
      return undefined;
    }
    const object = value as Json;
    if ('$ref' in object) return this.#followReference(kind, String(object.$ref), at);
    this.#checkFields(kind, object, at);
    return object;
  }

  #checkFields(kind: Kind, object: Json, at: string): void {
    const fields: readonly string[] = allowed[kind];
    const names = fields.map((field) => field.replace('!', ''));
    const strange = Object.keys(object).filter((name) => !names.includes(name) && !name.startsWith('x-'));
    const required = fields.filter((field) => field.endsWith('!')).map((field) => field.slice(0, -1));
    this.problems.push(...strange.map((name) => `${at} may not have ${name}`));
    this.problems.push(...required.filter((name) => !(name in object)).map((name) => `${at} lacks ${name}`));
  }

  #followReference(kind: Kind, reference: string, at: string): undefined {
    const [, , folder, ...names] = reference.split('/');
    const kept = (this.#document.components as Json | undefined)?.[folder ?? ''] as Json | undefined;
    const found = folder === (kind === 'schema' ? 'schemas' : `${kind}s`) && names.join('/') in (kept ?? {});
    if (!found) this.problems.push(`${at} refers to ${reference}, which is not a ${kind}`);
    return undefined;
  }
}
