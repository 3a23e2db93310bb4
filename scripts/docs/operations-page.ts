import {
  type ErrorCode,
  errorCodes,
  type Operation,
  type OperationKey,
  operations,
  particularCodesOf,
  sharedCodes,
} from '@fieldroster/contract';
import { type Example, exampleOrder, examples } from './examples.ts';
import { generatedNotice } from './generated-notice.ts';
import { markdownTable } from './markdown-table.ts';
import { asRead, type Field, fieldsOf, limitsOf, queryAsRead, typeName } from './schema-facts.ts';

const keys = Object.keys(operations) as OperationKey[];

/** Renders the page of all operations: how to call each, its answer, and an example that a test runs. */
export function operationsPage(): string {
  return `${generatedNotice}# Operations

Every request carries the three signing headers; [interface.md](interface.md#signing-a-request) shows how to compute them. The
examples are for bash: first paste the function \`send\` of the [README](../README.md#a-signed-call), which signs and sends a request. Keep the quotes, because \`&\` and \`?\`
are special to the shell. The paths come after the base path, if the operator configured one. Lengths count Unicode characters.

A body is a JSON object; [interface.md](interface.md#limits) lists its largest size on each path. An optional field that is null counts
as left out. Operations ignore body fields that they do not know. Every DELETE and every extension refuses unknown query parameters with 1001,
and empty ones too, except for an empty \`cursor\`, which asks for the first page, and an empty \`user_id\` or \`username\` beside the other. The other operations
ignore both. Unknown and empty parameters are signed like the others.

${operationTable()}

A number is the operation's place in the interface's list; \`+\` marks an extension, which no client of that interface needs.

The examples run on the sample directory of \`npm start\`, where the first user that you create gets the id 81. If you have created others, for instance with the
calls of the README, write the id that create-user returns in place of 81. An example with the scope \`manage\` needs [an application with that scope](operating.md#scopes).

The later examples see what the earlier ones did. They answer as shown in this order: ${exampleOrder.map((key) => exampleLink(operations[key])).join(', ')}.

Every operation may answer these codes, in addition to those that it lists: ${sharedCodes.map(codeLink).join(', ')}.

${keys.map(section).join('\n\n')}
`;
}

function exampleLink({ name }: Operation): string {
  return `[${name}](#${name})`;
}

function operationTable(): string {
  return markdownTable(
    ['', 'operation', 'method', 'path', 'what it does'],
    keys.map((key) => {
      const { number, name, method, path, summary }: Operation = operations[key];
      return [String(number ?? '+'), `[${name}](#${name})`, method, `\`${path}\``, summary];
    }),
  );
}

function section(key: OperationKey): string {
  const operation: Operation = operations[key];
  const { number, name, method, path, access, summary, description } = operation;
  const parts = [
    `## ${name}`,
    `**${summary}.** \`${method} ${path}\`, scope \`${access}\`${number === undefined ? ', an extension' : ''}`,
    description,
    ...parameters('Query parameters', fieldsOf(queryAsRead(operation))),
    ...parameters('Body fields', fieldsOf(asRead(operation.body ?? {}))),
    ...answerFields(operation),
    ownCodes(particularCodesOf(operation)),
    exampleOf(operation, examples[key]),
  ];
  return parts.join('\n\n');
}

function ownCodes(codes: readonly ErrorCode[]): string {
  if (codes.length === 0) return 'Codes: only those that every operation may answer.';
  return `Codes: ${codes.map((code) => `${codeLink(code)} ${errorCodes[code].meaning}`).join(', ')}.`;
}

function parameters(title: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return [];
  const rows = fields
    .flatMap(withEntryFields)
    .map(({ name, required, schema }) => [
      `\`${name}\``,
      typeName(schema),
      required ? 'yes' : 'no',
      limitsOf(schema),
      withCode(schema.description ?? ''),
    ]);
  return [`${title}:`, markdownTable(['field', 'type', 'required', 'limits', 'meaning'], rows)];
}

/** Formats words with a dollar sign as code: many Markdown renderers take text between two of them for a formula. */
function withCode(text: string): string {
  return text.replaceAll(/\$\S*[^\s,]/g, '`$&`');
}

function answerFields({ data }: Operation): string[] {
  if (data === undefined) return ['The answer is the envelope without `data`.'];
  const rows = fieldsOf(data).flatMap(withEntryFields).map(answerRow);
  return [
    'Fields of `data`, each of them always present:',
    markdownTable(['field', 'type', 'meaning'], rows),
  ];
}

function answerRow({ name, schema, required }: Field): string[] {
  const values = typeName(schema) === 'string' ? (schema.enum ?? []) : [];
  const meaning = [schema.description ?? '', values.join(', '), required ? '' : 'absent if there is none'];
  return [`\`${name}\``, typeName(schema), meaning.filter((part) => part !== '').join('; ')];
}

/** Returns a field and, for an array of objects, the fields of its entries. */
function withEntryFields(field: Field): Field[] {
  const inner = fieldsOf(field.schema.items).map((one) => ({ ...one, name: `${field.name}[].${one.name}` }));
  return [field, ...inner.flatMap(withEntryFields)];
}

function codeLink(code: ErrorCode): string {
  return `[${code}](errors.md#${code}-${errorCodes[code].name})`;
}

function exampleOf({ method, path, successMessage }: Operation, { query, body, data }: Example): string {
  const target = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
  const given = [target, ...(body === undefined ? [] : [JSON.stringify(body)])].map(quoteForShell);
  const answer = { code: 0, message: successMessage, ...(data !== undefined && { data }) };
  return `\`\`\`bash\nsend ${method} ${given.join(' ')}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
