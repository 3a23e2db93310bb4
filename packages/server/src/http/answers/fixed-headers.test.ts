import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import { applications, startTestServer } from '../../../test/test-server.ts';
import { ResponseWithFixedHeaders, setRequestId } from './fixed-headers.ts';

const server = await startTestServer({ settings: { bodyBytesMax: 1024, batchBodyBytesMax: 1024 } });
after(() => server.close());

const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

function assertFixedHeaders(headers: IncomingHttpHeaders): void {
  assert.match(String(headers['x-request-id']), /^[0-9a-f]{12}-/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['content-security-policy'], policy);
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.deepEqual(crossOriginHeaders(headers), []);
}

/** Returns the headers that would let a page of another origin send requests or read answers. */
function crossOriginHeaders(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

for (const { name, method, path } of Object.values(operations) as Operation[]) {
  test(`${name} answers with the fixed headers, whether it refuses the request or its signature`, async () => {
    const target = `${path}?user_id=4711`;
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    assertFixedHeaders((await server.call(method, target, body)).headers);
    const forger = { appId: applications.main.appId, appSecret: 'wrong' };
    assertFixedHeaders((await server.call(method, target, body, { as: forger })).headers);
    assertFixedHeaders((await server.send({ method, target })).headers);
  });
}

test('an answer of 0 has the fixed headers, from the directory and from memory', async () => {
  const id = await server.createUser('fixed');
  for (let round = 0; round < 3; round += 1) {
    const { headers } = await server.succeed('GET', `/user?user_id=${id}`);
    assertFixedHeaders(headers);
    assert.ok(headers.etag);
  }
});

for (const [label, method, target, status] of [
  ['an unknown path', 'GET', '/nowhere', 404],
  ['an unknown path below /docs', 'GET', '/docs/nowhere', 404],
  ['a path that cannot be decoded', 'GET', '/%zz', 404],
  ['a wrong method', 'PATCH', '/user', 405],
  ['a body over the limit', 'POST', '/user', 413],
  ['the state of the process', 'GET', '/healthz', 200],
  ['the state of the database', 'GET', '/readyz', 200],
] as const) {
  test(`${label} is answered with ${status} and the fixed headers`, async () => {
    const body = status === 413 ? 'x'.repeat(2000) : undefined;
    const answer = await server.send({ method, target, body });
    assert.equal(answer.status, status);
    assertFixedHeaders(answer.headers);
  });
}

test('no answer lets a page of another origin read it, and its preflight is refused', async () => {
  const origin = { Origin: 'https://elsewhere.example' };
  const preflight = { ...origin, 'Access-Control-Request-Method': 'POST' };
  for (const target of ['/user', '/openapi.json', '/healthz']) {
    const { headers } = await server.send({ method: 'GET', target, headers: origin });
    assert.deepEqual(crossOriginHeaders(headers), [], target);
    const refused = await server.send({ method: 'OPTIONS', target, headers: preflight });
    assert.deepEqual(crossOriginHeaders(refused.headers), [], target);
    assert.ok([404, 405].includes(refused.status), `${target} answered ${refused.status}`);
  }
});

test('bytes that are not HTTP are answered with the fixed headers', async () => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('hello\r\n\r\n');
  const answer = await text(socket);
  for (const line of [
    `Content-Security-Policy: ${policy}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
  ]) {
    assert.ok(answer.includes(`\r\n${line}\r\n`), answer);
  }
});

test('each header appears once, the reference page has its own policy, and HEAD has the headers of GET', async () => {
  const raw = async (target: string, method = 'GET') => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    return head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ')[0]?.toLowerCase());
  };
  for (const target of ['/user', '/docs', '/openapi.json', '/nowhere', '/healthz']) {
    const names = await raw(target);
    assert.deepEqual(names, [...new Set(names)], target);
    assert.ok(names.includes('content-security-policy') && names.includes('cache-control'), target);
  }
  assert.ok((await raw('/user', 'HEAD')).includes('content-security-policy'));
  const { headers } = await server.send({ method: 'GET', target: '/openapi.json' });
  assert.match(String(headers['content-security-policy']), /script-src 'self'/);
});

test('a response of another class is refused, because its headers would be missing', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  assert.throws(() => setRequestId(response, 'id-1'), /the response has no fixed headers/);
});

for (const [begins, begin] of [
  ['sent whole', (response: ServerResponse) => response.end('x')],
  ['sent piece by piece', (response: ServerResponse) => response.write('x')],
] as const) {
  test(`a body that nobody reads is discarded when an answer ${begins} begins, though others go first`, async (t) => {
    const { promise: discarded, resolve } = Promise.withResolvers<void>();
    const held = createServer({ ServerResponse: ResponseWithFixedHeaders }, (request, response) => {
      if (request.method === 'GET') return;
      request.once('resume', () => resolve());
      setRequestId(response, 'x');
      begin(response);
    });
    t.after(() => held.close());
    await once(held.listen(0, '127.0.0.1'), 'listening');
    const client = connect((held.address() as AddressInfo).port, '127.0.0.1');
    const head = 'Host: x\r\nTransfer-Encoding: chunked\r\n';
    client.write(`GET /held HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\n${head}\r\n1\r\nx\r\n`);
    await discarded;
    client.destroy();
  });
}
