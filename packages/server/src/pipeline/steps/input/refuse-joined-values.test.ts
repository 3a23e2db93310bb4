import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Operation, operations, refusesUnknownParameters } from '@fieldroster/contract';
import {
  canonicalResource,
  MalformedQueryError,
  parseQuery,
  type QueryParameter,
  queryReadings,
} from '@fieldroster/signing';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/test-server.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Call } from '../../call.ts';
import { inputParser } from './parse-input.ts';

const server = await startTestServer();
after(() => server.close());

for (const [method, target, separator] of [
  ['DELETE', '/store?code=A%26force%3Dtrue', '&force='],
  ['DELETE', '/user?username=bob%26user_id%3D1', '&user_id='],
  ['DELETE', '/user/store?user_id=1&store_code=S001%26user_id%3D2', '&user_id='],
  ['GET', '/users?department=X%26search%3DY', '&search='],
  ['GET', '/users?search=%26search%3D', '&search='],
  ['GET', '/audit?app_id=a%26limit=1', '&limit='],
] as const) {
  test(`${method} ${target} is 1001: the value contains ${separator}`, async () => {
    const message = new RegExp(`contains ${JSON.stringify(separator)}, `);
    await server.refuse(1001, message, [method, target]);
  });
}

test('"&" and "=" are allowed in values that name no parameter', async () => {
  await server.createUser('a&b=c');
  await server.succeed('GET', '/users?search=a%26b%3Dc&department=R%26D');
  await server.succeed('GET', '/user?username=a%26b%3Dc');
  await server.succeed('DELETE', '/user?username=a%26b%3Dc');
});

test('an operation that ignores unknown parameters accepts values that contain the start of one', async () => {
  await server.refuse(1101, /./, ['GET', '/user?username=bob%26user_id%3D1']);
});

const everyOperation: readonly Operation[] = Object.values(operations);

/** Ways to spell a piece of a query in a URL. */
type Piece = readonly string[];

const ampersand: Piece = ['&', '%26'];
const equals: Piece = ['=', '%3D'];
const noise: readonly Piece[] = [
  ['a', '%61'],
  ['+', '%20'],
  ['+', '%2B'],
  ['%26', '%2526'],
  ['%25', '%2525'],
];
const valueOfType: Readonly<Record<string, Piece>> = { integer: ['1', '%31'], boolean: ['true', 'tr%75e'] };
const unknown: readonly [string, Piece] = ['x', ['1', 'a']];

/** Generates two spellings of one query, which an operation could accept if "&" and "=" are unescaped. */
function twoQueries(operation: Operation) {
  const known = Object.entries(operation.query?.properties ?? {}).map(
    ([name, { type }]: [string, { type?: string }]) =>
      [name, valueOfType[type ?? ''] ?? ['a', '%61']] as const,
  );
  const tail = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(fc.constantFrom(...noise, ampersand, equals)),
  );
  const sorted = fc.subarray([...known, unknown], { minLength: 1 }).map((chosen) => chosen.toSorted(byName));
  const pieces = fc
    .tuple(sorted, tail)
    .map(([parameters, tail]) => [
      ...parameters.flatMap(([name, value], index) => [
        ...(index === 0 ? [] : [ampersand]),
        spell(name),
        equals,
        value,
      ]),
      ...tail,
    ]);
  return pieces.chain((pieces) => fc.tuple(spellings(pieces), spellings(pieces)));
}

function byName([a]: readonly [string, Piece], [b]: readonly [string, Piece]): number {
  return a < b ? -1 : 1;
}

function spell(name: string): Piece {
  return [name, name.replace('_', '%5F')];
}

/** Favours the plain spelling; otherwise hardly any query would have several parameters. */
function spellings(pieces: readonly Piece[]) {
  const chosen = pieces.map((piece) => fc.constantFrom(piece[0] as string, ...piece));
  return fc.tuple(...chosen).map((parts) => parts.join(''));
}

interface Accepted {
  readonly stringToSign: string;
  readonly knownParameters: readonly QueryParameter[];
  readonly carriesUnknown: boolean;
}

/** Returns what the operation would be called with, for each signature of the target that would be accepted. */
function acceptedReadings(operation: Operation, query: string): Accepted[] {
  const parse = inputParser(operation);
  const known = new Set(Object.keys(operation.query?.properties ?? {}));
  return queryReadings(query).flatMap(({ plus, names }) => {
    try {
      const parameters = parseQuery(query, plus, names);
      parse({} as Call, parameters);
      const stringToSign = canonicalResource(operation.path, parameters);
      const knownParameters = parameters.filter(({ name }) => known.has(name)).sort(byParameterName);
      return [{ stringToSign, knownParameters, carriesUnknown: knownParameters.length < parameters.length }];
    } catch (error) {
      assert.ok(error instanceof ApiError || error instanceof MalformedQueryError, String(error));
      return [];
    }
  });
}

function byParameterName(a: QueryParameter, b: QueryParameter): number {
  return a.name < b.name ? -1 : 1;
}

// The method and path are in the string to sign as sent, and a path has no "?".
test('a method and a path name one operation', () => {
  const names = everyOperation.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.every((name) => !name.includes('?')));
});

for (const operation of everyOperation.filter(({ query }) => query !== undefined)) {
  const { method, path } = operation;
  test(`any two accepted targets of ${method} ${path} with one string to sign have the same known parameters`, () => {
    let sameString = 0;
    const property = fc.property(twoQueries(operation), ([first, second]) => {
      const others = acceptedReadings(operation, second);
      for (const one of acceptedReadings(operation, first)) {
        for (const other of others) {
          if (one.stringToSign !== other.stringToSign) continue;
          // The exception that SECURITY.md describes.
          if (!refusesUnknownParameters(operation) && (one.carriesUnknown || other.carriesUnknown)) continue;
          if (first !== second) sameString += 1;
          assert.deepEqual(one.knownParameters, other.knownParameters);
        }
      }
    });
    // For an operation with two parameters, a thousand pairs contain only two to thirteen matches, and sometimes none.
    fc.assert(property, { numRuns: 4_000 });
    assert.ok(sameString > 0, 'some different targets have one string to sign');
  });
}
