import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, describe, test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import { sendRequest } from '../../test/send-request.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const admin = 'https://admin.example';
const local = 'http://localhost:5173';
const agent = new Agent();
const server = await startTestServer({ settings: { corsOrigin: `${admin},${local}`, basePath: '/api/v1' } });
after(() => server.close());

function corsHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}

const readable = { 'access-control-expose-headers': 'Date, ETag, Retry-After, X-Request-Id' };

function preflight(target: string, origin: string, method = 'POST') {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,content-type,nonce,timestamp',
  };
  return server.send({ method: 'OPTIONS', target: `/api/v1${target}`, headers });
}

describe('a page of a listed origin', () => {
  for (const { name, method, path } of Object.values(operations) as Operation[]) {
    test(`may call ${name} with the signed headers, and read its answer`, async () => {
      for (const origin of [admin, local]) {
        const { status, text, headers } = await preflight(path, origin, method);
        assert.deepEqual([status, text], [204, '']);
        const { 'access-control-allow-methods': methods, ...rest } = corsHeaders(headers);
        assert.ok(String(methods).split(', ').includes(method));
        assert.deepEqual(rest, {
          vary: 'Origin',
          'access-control-allow-origin': origin,
          'access-control-allow-headers': 'Authorization, Timestamp, Nonce, Content-Type',
          'access-control-max-age': '600',
        });
        const refused = await server.send({
          method,
          target: `/api/v1${path}`,
          headers: { Origin: origin },
        });
        assert.equal(refused.envelope.code, 1011);
        const expected = { vary: 'Origin', 'access-control-allow-origin': origin, ...readable };
        assert.deepEqual(corsHeaders(refused.headers), expected);
      }
    });
  }

  test('may read a success, with the headers that the client needs', async () => {
    const id = await server.createUser('cors');
    const headers = { Origin: admin };
    for (let round = 0; round < 3; round += 1) {
      const answer = await server.call('GET', `/user?user_id=${id}`, undefined, { headers });
      assert.equal(answer.envelope.code, 0);
      assert.ok(answer.headers.etag && answer.headers.date && answer.headers['x-request-id']);
      assert.equal(answer.headers['access-control-allow-origin'], admin);
      assert.equal(answer.headers['content-security-policy']?.includes("default-src 'none'"), true);
    }
  });
});

describe('a page of another origin', () => {
  const others = [
    'https://admin.example.evil.example',
    'https://evil.example',
    'http://admin.example',
    'https://admin.example:8443',
    'https://admin.example/',
    'HTTPS://ADMIN.EXAMPLE',
    `${admin},${local}`,
    `${admin}, https://evil.example`,
    'null',
    '*',
  ];
  for (const origin of others) {
    test(`is refused: ${origin}`, async () => {
      const refused = await preflight('/user', origin);
      assert.deepEqual([refused.status, refused.envelope.code], [405, 1006]);
      assert.deepEqual(corsHeaders(refused.headers), { vary: 'Origin' });
      const headers = { Origin: origin };
      const answer = await server.call('GET', '/user?user_id=1', undefined, { headers });
      assert.deepEqual(corsHeaders(answer.headers), { vary: 'Origin' });
    });
  }
});

test('an answer to a request without an Origin varies by origin', async () => {
  const { headers } = await server.call('GET', '/user?user_id=1', undefined, { as: applications.reader });
  assert.deepEqual(corsHeaders(headers), { vary: 'Origin' });
});

test('OPTIONS without a requested method is not a preflight', async () => {
  const answer = await server.send({
    method: 'OPTIONS',
    target: '/api/v1/user',
    headers: { Origin: admin },
  });
  assert.deepEqual([answer.status, answer.envelope.code], [405, 1006]);
  assert.deepEqual(answer.headers.allow, 'POST, GET, PUT, DELETE');
});

for (const target of ['/healthz', '/readyz', '/docs', '/openapi.json', '/api/v1/nowhere', '/user']) {
  test(`${target} is not an operation, so no page of another origin may read it`, async () => {
    const headers = { Origin: admin };
    const answer = await sendRequest(server.port, agent, { method: 'GET', target, headers });
    assert.deepEqual(corsHeaders(answer.headers), {});
    const { status, headers: refused } = await server.send({
      method: 'OPTIONS',
      target,
      headers: { ...headers, 'Access-Control-Request-Method': 'GET' },
    });
    assert.ok([404, 405].includes(status), `${target} answered ${status}`);
    assert.deepEqual(corsHeaders(refused), {});
  });
}

test('without a listed origin, answers do not vary by origin, and not even the empty origin may call', async (t) => {
  const closed = await startTestServer();
  t.after(() => closed.close());
  const headers = { Origin: '', 'Access-Control-Request-Method': 'POST' };
  for (const method of ['OPTIONS', 'GET']) {
    const answer = await closed.send({ method, target: '/user', headers });
    assert.equal(answer.envelope.code, method === 'GET' ? 1011 : 1006);
    assert.deepEqual(corsHeaders(answer.headers), {});
  }
});
