import {
  type ErrorCode,
  type ErrorCodeEntry,
  errorCodes,
  limits,
  type OperationKey,
  operations,
  sharedCodes,
} from '@fieldroster/contract';
import release from '../../package.json' with { type: 'json' };
import { causes } from './causes.ts';
import { openApiOperation } from './openapi-operation.ts';
import { entitySchemas, type JsonSchema } from './openapi-schema.ts';
import { tags } from './openapi-tags.ts';

/** Returns the OpenAPI 3.1 document of the whole interface. */
export function openApiDocument(): Readonly<Record<string, unknown>> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldroster',
      version: release.version,
      summary: 'A user directory for retail and field operations',
      description:
        'Every request is signed. The page /docs of a server shows how, under Signing, for any request that you type; so does ' +
        'docs/interface.md of the repository. Every answer is an envelope whose `code` is 0 on success. Failures ' +
        'about an operation are sent with status 200 unless the server runs with `--http-status standard`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:8080', description: 'A server as npm start runs it' }],
    security: [{ Signature: [], Timestamp: [], Nonce: [] }],
    tags,
    paths: paths(),
    components: { securitySchemes, headers, schemas, responses: responses() },
    'x-error-codes': codesWithCauses(),
  };
}

/** Describes the codes with what causes each, without the links of the Markdown pages. */
function codesWithCauses(): Record<string, ErrorCodeEntry & { readonly cause: string }> {
  const entries = Object.entries(errorCodes).map(([code, entry]) => {
    const cause = causes[Number(code) as ErrorCode].replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
    return [code, { ...entry, cause }];
  });
  return Object.fromEntries(entries);
}

function paths(): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const key of Object.keys(operations) as OperationKey[]) {
    const { path, method } = operations[key];
    paths[path] = { ...paths[path], [method.toLowerCase()]: openApiOperation(key) };
  }
  return paths;
}

const securitySchemes = {
  Signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '`cbs:<APPID>:<Signature>`, where the signature is Base64 of HMAC-SHA256 over method, Content-MD5, timestamp, nonce and ' +
      'resource. Compute it for each request, together with Timestamp and Nonce.',
  },
  Timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'Timestamp',
    description: `Whole seconds since the Unix epoch, such as 1767225600; at most ${limits.timestampSkewSeconds} seconds from the server’s clock`,
  },
  Nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'Nonce',
    description: `A random string of 1 to ${limits.nonceCharactersMax} characters; use another one for each request`,
  },
};

const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the server’s log',
    required: true,
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'On success, the revision of what was read, in quotes, such as "3"; if_revision takes the digits alone',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again',
    schema: { type: 'integer', format: 'int32' },
  },
};

const envelope: JsonSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    // No list of values: a newer server may answer other codes, which generated clients must accept.
    code: { type: 'integer', format: 'int32', description: '0 on success' },
    message: { type: 'string', description: 'What is wrong, for people to read' },
  },
};

const schemas: Record<string, JsonSchema> = { Envelope: envelope, ...entitySchemas() };

/**
 * Returns a response for every status that is sent in every mode, and one for the statuses of the standard
 * mode.
 */
function responses(): Record<string, unknown> {
  const entries: [string, ErrorCodeEntry][] = Object.entries(errorCodes);
  const shared = new Set(sharedCodes.map(String));
  const always = entries.filter(([code, { statusAlwaysSent }]) => statusAlwaysSent && shared.has(code));
  return {
    ...Object.fromEntries(
      always.map(([code, entry]) => [entry.name, failure(entry.meaning, [Number(code)])]),
    ),
    'standard-status': failure(
      'Under --http-status standard, a failure about the operation is sent with the status of its code',
      entries.filter(([, entry]) => !entry.statusAlwaysSent).map(([code]) => Number(code)),
    ),
  };
}

/** A 1012 has the header after a restore. */
const retried = new Set([1012, 1429, 1503]);

function failure(description: string, codes: readonly number[]): Record<string, unknown> {
  const examples = codes.map((code) => {
    const { name, meaning }: ErrorCodeEntry = errorCodes[code as ErrorCode];
    return [name, { summary: meaning, value: { code, message: meaning } }];
  });
  return {
    description: description.charAt(0).toUpperCase() + description.slice(1),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(codes.some((code) => retried.has(code)) && {
        'Retry-After': { $ref: '#/components/headers/Retry-After' },
      }),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Envelope' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
