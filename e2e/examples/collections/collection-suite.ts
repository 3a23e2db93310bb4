import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { initialVariables } from '../../../scripts/collections/requests.ts';
import { awkward, type LiveDirectory, startLiveDirectory } from '../live-directory.ts';
import { readVectors, type Vector } from '../vector-lines.ts';
import type { Draft, SentRequest } from './run-script.ts';

/** A request as the collection's file holds it, with unresolved variables. */
export interface ReadRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** How a tool's collection is read and run. */
export interface CollectionUnderTest {
  readonly tool: string;
  readonly requests: readonly ReadRequest[];
  /** Runs the signing script over a request. */
  readonly sign: (draft: Draft) => SentRequest;
  /** Runs the script that follows the answer to "Create a user", and returns the variable `user_id`. */
  readonly readUserId: (answer: string) => string | undefined;
}

/** Registers the tests of a collection: its script on the vectors, then its requests against a real server. */
export function testCollection(collection: CollectionUnderTest): void {
  describe(`the ${collection.tool} collection`, () => {
    testVectors(collection);
    testVariables(collection);
    testRequests(collection);
    testInitialVariables(collection);
  });
}

function testVectors({ sign }: CollectionUnderTest): void {
  const vectors = readVectors().filter(isExpressible);

  test('signs every vector that the tool can express', () => {
    const signed = vectors.filter((vector) => vector.signer === undefined);
    assert.ok(signed.length > 150, `only ${signed.length} vectors`);
    for (const vector of signed) {
      const { headers } = sign(draftOf(vector));
      assert.equal(headers.Authorization, vector.authorization, vector.id);
      assert.equal(headers.Timestamp, vector.timestamp, vector.id);
      assert.equal(headers.Nonce, vector.nonce, vector.id);
    }
  });

  test('fails instead of signing a query that cannot be decoded', () => {
    const malformed = vectors.filter(
      ({ signer, stringToSign }) => stringToSign === null && signer === 'refuses',
    );
    assert.ok(malformed.length > 10);
    for (const vector of malformed) {
      assert.throws(() => sign(draftOf(vector)), { name: 'URIError' }, vector.id);
    }
  });
}

/**
 * The tools send a body as text, Bruno trims it, and neither sends what follows a `#`. The script does not
 * upload images and reads `+` as a space.
 */
function isExpressible({ bodyBase64, omitContentMd5, plus, target, body }: Vector): boolean {
  const asText = bodyBase64 === undefined && body?.trim() === body;
  return asText && omitContentMd5 !== true && plus !== 'literal' && !target.includes('#');
}

function draftOf(vector: Vector): Draft {
  const { method, target, body = '', nonce, timestamp } = vector;
  const credentials = { app_id: vector.appId, app_secret: vector.appSecret };
  const variables = new Map(Object.entries(credentials));
  return {
    method,
    url: `https://host.test${target}`,
    body,
    variables,
    nonce,
    nowMs: Number(timestamp) * 1000,
  };
}

function testVariables({ sign }: CollectionUnderTest): void {
  const draft = { method: 'GET', url: '/user?username={{username}}', body: '', nonce: 'n' };

  test('fails and names a variable that is not set', () => {
    const noName = new Map([
      ['app_id', 'a'],
      ['app_secret', 's'],
    ]);
    assert.throws(() => sign({ ...draft, variables: noName }), { message: /\{\{username\}\} is not set/ });
    const noSecret = new Map([
      ['app_id', 'a'],
      ['app_secret', ''],
      ['username', 'u'],
    ]);
    assert.throws(() => sign({ ...draft, variables: noSecret }), {
      message: /\{\{app_secret\}\} is not set/,
    });
  });
}

const nonce = '3f2b8c1e-9d47-4a60-8b15-6e0c7d2f9a34';
const username = 'a+b c&d=e%f%20李伟😀"\\?#;/é';

function testRequests({ requests, sign, readUserId }: CollectionUnderTest): void {
  describe('against a server, with awkward values in its variables', () => {
    let live: LiveDirectory;
    let variables: Map<string, string>;
    before(async () => {
      live = await startLiveDirectory('compatible');
      variables = new Map(
        Object.entries({
          base_url: live.url,
          app_id: live.appId,
          app_secret: live.appSecret,
          username,
          real_name: username,
          password: username,
          role_id: awkward.roleId,
          org_id: awkward.orgId,
          store_code: awkward.storeCode,
        }),
      );
    });
    after(() => live.close());

    test('shows the twelve operations', () => assert.equal(requests.length, 12));

    for (const written of requests) {
      test(`${written.name}: is answered with code 0`, async () => {
        const sent = sign({ ...written, variables, nonce });
        assert.doesNotMatch(sent.url + sent.body, /\{\{/);
        const answer = await send(sent);
        assert.match(answer, /^\{"code":0,/);
        if (written.name === 'Create a user') variables.set('user_id', readUserId(answer) ?? '');
        if (written.name === 'Query a user') checkUser(answer);
      });
    }

    test('keeps every digit of a user id', () => {
      const answer = '{"code":0,"message":"","data":{"id":9223372036854775807,"username":"u"}}';
      assert.equal(readUserId(answer), '9223372036854775807');
      assert.equal(readUserId('{"code":1102,"message":"taken"}'), undefined);
    });
  });
}

function testInitialVariables({ requests, sign, readUserId }: CollectionUnderTest): void {
  test('its initial values fit the sample directory', async () => {
    const live = await startLiveDirectory('compatible');
    const { url: base_url, appId: app_id, appSecret: app_secret } = live;
    const variables = new Map(Object.entries({ ...initialVariables, base_url, app_id, app_secret }));
    for (const written of requests) {
      const answer = await send(sign({ ...written, variables, nonce }));
      assert.match(answer, /^\{"code":0,/, `${written.name}: ${answer}`);
      if (written.name === 'Create a user') variables.set('user_id', readUserId(answer) ?? '');
    }
    await live.close();
  });
}

function checkUser(answer: string): void {
  const { data } = JSON.parse(answer);
  assert.equal(data.username, username);
  assert.equal(data.real_name, username);
}

function send({ method, url, body, headers }: SentRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, 'Content-Type': 'application/json' } });
    sent.on('error', reject).on('response', async (response) => {
      resolve((await response.setEncoding('utf8').toArray()).join(''));
    });
    sent.end(body);
  });
}
