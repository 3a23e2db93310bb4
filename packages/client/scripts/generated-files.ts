import {
  answerWait,
  errorCodes,
  limits,
  type Operation,
  operations,
  particularCodesOf,
} from '@fieldroster/contract';
import { type ListOperation, listOperations } from './list-operations.ts';
import { dataType, holdsIds, inputType, int64Shape } from './schema-types.ts';

const header = '// Generated from the contract by scripts/generate.ts; edit the contract instead.\n\n';

const table = Object.entries(operations) as [string, Operation][];

const lists = listOperations(table);

/** Returns the unformatted text of every generated file, by name. */
export function generatedFiles(): Record<string, string> {
  const perOperation = table.map(([key, operation]) => [
    `${operation.name}.ts`,
    operationFile(key, operation),
  ]);
  const files = {
    ...Object.fromEntries(perOperation),
    'operations.ts': operationsFile(),
    'operation-types.ts': typesFile(),
    'lists.ts': listsFile(),
    'error-names.ts': codesFile(),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, header + text]));
}

function operationFile(key: string, operation: Operation): string {
  const input = inputType(operation);
  return `import type { CallOptions } from '../call-options.ts';
${/\bIdInput\b/.test(input) ? "import type { IdInput } from '../id-input.ts';\n" : ''}
/** Input of \`${key}\`. */
export interface ${pascal(key)}Input ${input}
${dataInterface(key, operation)}
${methodInterface(key, operation)}${listInterface(key)}
/** Its route, and the int64 values of its input and answer. */
export const ${key} = ${JSON.stringify(routeOf(operation))} as const;
`;
}

function dataInterface(key: string, { data }: Operation): string {
  if (data === undefined) return '';
  return `
/** Result of \`${key}\`. */
export interface ${pascal(key)}Data${holdsIds(data) ? '<Id = bigint>' : ''} ${dataType(data)}
`;
}

function methodInterface(key: string, operation: Operation): string {
  const { summary, method, path, description, data } = operation;
  const codes = particularCodesOf(operation);
  const withIds = data !== undefined && holdsIds(data);
  const result = data === undefined ? 'void' : `${pascal(key)}Data${withIds ? '<Id>' : ''}`;
  const named =
    codes.map((code) => `${code} ${errorCodes[code].name}, `).join('') + (codes.length > 0 ? 'and ' : '');
  return `export interface ${pascal(key)}${withIds ? '<Id = bigint>' : ''} {
  /**
   * ${summary}: \`${method} ${path}\`. ${description}
   *
   * @throws {FieldrosterError} with ${named}the codes that every operation shares
   */
  ${key}(input: ${pascal(key)}Input, options?: CallOptions): Promise<${result}>;
}
`;
}

/** Returns the interface with the method that iterates over all pages, if the operation is paged. */
function listInterface(key: string): string {
  const list = lists.find((candidate) => candidate.key === key);
  if (list === undefined) return '';
  const { method, items, withIds, required } = list;
  const data = `${pascal(key)}Data${withIds ? '<Id>' : ''}`;
  return `
/** An entry that \`${method}\` yields. */
export type ${entryName(list)}${withIds ? '<Id = bigint>' : ''} = ${data}['${items}'][number];

export interface ${pascal(method)}${withIds ? '<Id = bigint>' : ''} {
  /**
   * Iterates over every entry of \`${key}\`, and requests each page when the previous one is used up. \`limit\` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as \`${key}\`
   */
  ${method}(input${required ? '' : '?'}: Omit<${pascal(key)}Input, 'cursor'>, options?: CallOptions): AsyncGenerator<${entryName(list)}${withIds ? '<Id>' : ''}, void, undefined>;
}
`;
}

function entryName({ method }: ListOperation): string {
  return pascal(method).replace(/s$/, 'Entry');
}

function listsFile(): string {
  const imports = lists.map(({ key, method }) => {
    const { name } = operations[key as keyof typeof operations];
    return `import type { ${pascal(method)} } from './${name}.ts';`;
  });
  const methods = lists.map(({ method, withIds }) => pascal(method) + (withIds ? '<Id>' : ''));
  const rows = lists.map(({ method, key, items }) => `${method}: { key: '${key}', items: '${items}' },`);
  return `${imports.join('\n')}

/** The operation behind each method that iterates over a whole list, and the field of its answer with the entries. */
export const lists = {
${rows.join('\n')}
} as const;

/** A method for every paged operation, which iterates over all pages. */
export interface ListMethods<Id = bigint> extends ${methods.join(', ')} {}

/** The most entries that a page may have. */
export const pageEntriesMax = ${limits.pageEntriesMax};
`;
}

function routeOf({ name, method, path, access, repeatable, query, body, data }: Operation) {
  if (query !== undefined && body !== undefined) {
    throw new TypeError(`${name} has both query and body; the client puts all fields in one place`);
  }
  const fieldsIn = body === undefined ? 'query' : 'body';
  const takes = body === undefined ? {} : int64Shape(body);
  return {
    ...{ name, method, path, access },
    ...(repeatable !== undefined && { repeatable }),
    ...('dry_run' in (body?.properties ?? {}) && { dryRun: true }),
    fieldsIn,
    // The ids of a query need no conversion.
    ...(Object.keys(takes).length > 0 && { takes }),
    ...(data !== undefined && { answer: int64Shape(data) }),
  };
}

function operationsFile(): string {
  const imports = table.map(
    ([key, { name }]) => `import { type ${pascal(key)}, ${key} } from './${name}.ts';`,
  );
  const methods = table.map(
    ([key, { data }]) => pascal(key) + (data !== undefined && holdsIds(data) ? '<Id>' : ''),
  );
  return `${imports.join('\n')}

/** Every operation, in the order of the contract. */
export const operations = { ${table.map(([key]) => key).join(', ')} } as const;

/** A method for every operation; \`Id\` is the type of the int64 values in answers. */
export interface OperationMethods<Id = bigint> extends ${methods.join(', ')} {}

/** How far a timestamp may be from the server's clock. */
export const timestampSkewSeconds = ${limits.timestampSkewSeconds};

/** How long to wait for an answer. */
export const answerWait = ${JSON.stringify(answerWait)} as const;
`;
}

function codesFile(): string {
  const names = Object.entries(errorCodes).map(([code, { name }]) => `${code}: '${name}',`);
  return `/** The stable name of every published code. */
export const errorNames = {
${names.join('\n')}
} as const;

/** A published code of the envelope. A newer server may answer others. */
export type ErrorCode = keyof typeof errorNames;

export type ErrorName = (typeof errorNames)[ErrorCode];
`;
}

/** Exports every type that a caller may want to name. */
function typesFile(): string {
  const lines = table.map(([key, { name, data }]) => {
    const entries = lists.filter((list) => list.key === key).map(entryName);
    const names = [...(data === undefined ? [] : [`${pascal(key)}Data`]), ...entries, `${pascal(key)}Input`];
    return `export type { ${names.join(', ')} } from './${name}.ts';`;
  });
  const methods = [
    ['ListMethods', 'lists'],
    ['OperationMethods', 'operations'],
  ];
  const all = methods.map(([name, file]) => `export type { ${name} } from './${file}.ts';`);
  return `${[...lines, ...all].join('\n')}\n`;
}

function pascal(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}
