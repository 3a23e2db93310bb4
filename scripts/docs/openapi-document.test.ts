import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { describe } from 'node:test';
import { codesOf, errorCodes, operations } from '@fieldroster/contract';
import { structureProblems } from '../testing/openapi-structure.ts';
import { openApiDocument } from './openapi-document.ts';
import { openApiBody, openApiSchema } from './openapi-schema.ts';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(JSON.stringify(openApiDocument())) as Json;

const paths = document.paths as Record<string, Record<string, Json>>;

describe('the OpenAPI document', () => {
  test('has the structure that OpenAPI 3.1 requires, and every reference resolves', () => {
    assert.deepEqual(structureProblems(document), []);
  });

  test('fails with a broken reference, an unknown keyword or a missing part', () => {
    const breaks: [RegExp, string][] = [
      [/"#\/components\/schemas\/Role"/, '"#/components/schemas/Rule"'],
      [/"maxLength":/, '"patternMeaning":'],
      [/"operationId":"createUser"/, '"operationId":"queryUser"'],
      [/"description":"Overloaded/, '"summary":"Overloaded'],
      [/"required":\["code","message"\]/, '"required":["kode","message"]'],
    ];
    for (const [part, replacement] of breaks) {
      const text = JSON.stringify(document);
      const broken = text.replace(part, replacement);
      assert.notEqual(broken, text, String(part));
      assert.notDeepEqual(structureProblems(JSON.parse(broken) as Json), [], replacement);
    }
  });

  test('has every operation under its path and method, and no other', () => {
    const written = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [method.toUpperCase(), path, operation.operationId]),
    );
    const promised = Object.entries(operations).map(([key, { method, path }]) => [method, path, key]);
    assert.deepEqual(written.toSorted(), promised.toSorted());
  });

  test('lists for every operation the codes that the contract declares, each with an example', () => {
    for (const operation of Object.values(operations)) {
      const written = paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
      const codes = codesOf(operation);
      assert.deepEqual(written['x-codes'], codes);
      const text = JSON.stringify(written);
      for (const code of codes.filter((code) => !errorCodes[code].statusAlwaysSent)) {
        assert.ok(text.includes(`"value":{"code":${code},`), `${operation.name} has no example of ${code}`);
      }
    }
  });

  test('lets a cursor be empty, as every list does for its first page', () => {
    const parameters = Object.values(paths).flatMap(
      (item) => (item.get?.parameters ?? []) as { name: string; schema: Json }[],
    );
    const cursors = parameters.filter(({ name }) => name === 'cursor');
    assert.ok(cursors.length > 0);
    for (const { schema } of cursors) assert.deepEqual(schema, { type: 'string', maxLength: 2048 });
  });

  test('says what causes each code, and what to do', () => {
    const codes = document['x-error-codes'] as Record<string, Record<string, string>>;
    assert.deepEqual(Object.keys(codes), Object.keys(errorCodes));
    for (const [code, { cause = '', cure = '' }] of Object.entries(codes)) {
      assert.notEqual(cure, '', code);
      assert.match(cause, /^[A-Z].*\.$/, code);
      assert.doesNotMatch(cause, /\]\(/, `${code}: a link into the Markdown pages`);
    }
  });

  test('declares the three signing headers as security schemes, and not as parameters', () => {
    const { securitySchemes } = document.components as { securitySchemes: Record<string, { name: string }> };
    const names = Object.values(securitySchemes).map(({ name }) => name);
    assert.deepEqual(names, ['Authorization', 'Timestamp', 'Nonce']);
    assert.deepEqual(document.security, [{ Signature: [], Timestamp: [], Nonce: [] }]);
    for (const { parameters } of Object.values(paths).flatMap((item) => Object.values(item)))
      assert.doesNotMatch(JSON.stringify(parameters), /Timestamp|Nonce/);
  });

  test('has the ETag header where an operation answers a revision in it', () => {
    for (const [path, methods] of [
      ['/user', ['get']],
      ['/role', ['get']],
      ['/org', ['get']],
      ['/store', ['get']],
      ['/users', []],
    ] as const) {
      const tagged = Object.entries(paths[path] ?? {}).filter(([, { responses }]) =>
        Object.hasOwn((responses as Record<string, { headers: object }>)['200']?.headers ?? {}, 'ETag'),
      );
      assert.deepEqual(
        tagged.map(([method]) => method),
        methods,
        path,
      );
    }
  });

  test('names the schemas of answers, and leaves the code open', () => {
    const { schemas } = document.components as { schemas: Record<string, { properties: Json }> };
    for (const name of ['User', 'Role', 'Organization', 'Store', 'Envelope']) {
      assert.ok(name in schemas, name);
      assert.ok(JSON.stringify(document).includes(`"#/components/schemas/${name}"`), `${name} is used`);
    }
    assert.deepEqual(schemas.Envelope?.properties.code, {
      type: 'integer',
      format: 'int32',
      description: '0 on success',
    });
  });

  test('is the one in the repository', () => {
    const kept = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(kept), document);
  });
});

describe('a schema of the contract', () => {
  test('keeps its own keywords out of the document, but not their meaning', () => {
    const written = openApiSchema({ type: 'string', description: 'A name', patternMeaning: 'free of bars' });
    assert.deepEqual(written, { type: 'string', description: 'A name; free of bars' });
  });

  test('says that a number is a time in milliseconds', () => {
    const time = { type: 'integer', format: 'int64', 'x-unit': 'ms' };
    assert.deepEqual(openApiSchema(time), time);
  });

  test('may be null only as an optional body field', () => {
    const gender = { type: 'integer', format: 'int32', enum: [0, 1] };
    const body = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, gender } };
    assert.deepEqual(openApiBody(body).properties, {
      id: { type: 'integer' },
      gender: { type: ['integer', 'null'], format: 'int32', enum: [0, 1, null] },
    });
  });

  test('is refused when it has a keyword that the document does not know', () => {
    assert.throws(() => openApiSchema({ type: 'string', colour: 'red' } as object), /colour/);
  });
});
