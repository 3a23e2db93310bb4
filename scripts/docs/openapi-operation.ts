import {
  codesOf,
  type ErrorCode,
  type ErrorCodeEntry,
  errorCodes,
  type Operation,
  type OperationKey,
  operations,
} from '@fieldroster/contract';
import { type Example, examples } from './examples.ts';
import { type JsonSchema, openApiBody, openApiSchema } from './openapi-schema.ts';
import { tagOf } from './openapi-tags.ts';
import { fieldsOf, queryAsRead } from './schema-facts.ts';

const catalogue: Readonly<Record<ErrorCode, ErrorCodeEntry>> = errorCodes;

/** Converts an operation of the contract to an OpenAPI operation object. */
export function openApiOperation(key: OperationKey): Record<string, unknown> {
  const operation: Operation = operations[key];
  const example = examples[key];
  return {
    operationId: key,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: operation.description,
    parameters: parametersOf(operation, example),
    ...(operation.body !== undefined && { requestBody: requestBody(operation.body, example) }),
    responses: responsesOf(operation, example),
    'x-name': operation.name,
    'x-scope': operation.access,
    'x-extension': operation.number === undefined,
    'x-codes': codesOf(operation),
  };
}

function parametersOf(operation: Operation, example: Example): JsonSchema[] {
  return fieldsOf(queryAsRead(operation)).map(({ name, required, schema }) => {
    const { description, ...rest } = openApiSchema(schema);
    const value = example.query?.[name];
    const shown = value === undefined ? {} : { example: rest.type === 'string' ? value : JSON.parse(value) };
    return { name, in: 'query', required, description, schema: rest, ...shown };
  });
}

function requestBody(schema: object, { body }: Example): JsonSchema {
  return {
    required: true,
    content: { 'application/json': { schema: openApiBody(schema), example: body } },
  };
}

/** Describes success and failures with one schema, because they share the status 200. */
function responsesOf(operation: Operation, { data }: Example): Record<string, unknown> {
  const success = { code: 0, message: operation.successMessage, ...(data !== undefined && { data }) };
  const failures = codesOf(operation).filter((code) => !catalogue[code].statusAlwaysSent);
  return {
    '200': {
      description: 'Success, or a failure about the operation; code says which',
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        ...(operation.hasETag && { ETag: { $ref: '#/components/headers/ETag' } }),
      },
      content: {
        'application/json': {
          schema: envelopeOf(operation),
          examples: {
            success: { summary: 'success', value: success },
            ...Object.fromEntries(failures.map(failureExample)),
          },
        },
      },
    },
    ...Object.fromEntries(
      codesOf(operation)
        .filter((code) => catalogue[code].statusAlwaysSent)
        .map((code) => [String(catalogue[code].standardStatus), responseReference(catalogue[code].name)]),
    ),
    default: responseReference('standard-status'),
  };
}

function responseReference(name: string): JsonSchema {
  return { $ref: `#/components/responses/${name}` };
}

function failureExample(code: ErrorCode): [string, JsonSchema] {
  const { name, meaning } = catalogue[code];
  return [name, { summary: meaning, value: { code, message: meaning } }];
}

function envelopeOf(operation: Operation): JsonSchema {
  const { data } = operation;
  const reference = { $ref: '#/components/schemas/Envelope' };
  if (data === undefined) return reference;
  const onSuccess = { ...openApiSchema(data), description: 'Present on success only' };
  return { allOf: [reference, { type: 'object', properties: { data: onSuccess } }] };
}
