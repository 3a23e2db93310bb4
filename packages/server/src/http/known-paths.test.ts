import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { sendRequest } from '../../test/send-request.ts';
import { startTestServer } from '../../test/test-server.ts';
import { addPage } from './add-page.ts';
import { KnownPaths } from './known-paths.ts';

const [plain, based, apart] = await Promise.all([
  startTestServer(),
  startTestServer({ settings: { basePath: '/api/v1' } }),
  startTestServer({ settings: { consoleListen: '127.0.0.1:0' } }),
]);
const agent = new Agent({ keepAlive: true });
after(async () => {
  agent.destroy();
  await Promise.all([plain.close(), based.close(), apart.close()]);
});

const { consoleListener } = apart.app;
assert.ok(consoleListener !== undefined);
await consoleListener.listen({ host: '127.0.0.1', port: 0 });
const consolePort = (consoleListener.server.address() as AddressInfo).port;

const health = ['/healthz', '/readyz'];
const reference = ['/docs', '/docs/', '/docs/style.css', '/docs/signers/python', '/openapi.json'];
const consolePages = ['/console', '/console/', '/console/t/1/users'];

const listeners = [
  { name: 'the listener', port: plain.port, pages: [...health, ...reference, ...consolePages] },
  {
    name: 'a listener with a base path',
    port: based.port,
    pages: [...health, ...reference, ...consolePages, ...reference.map((path) => `/api/v1${path}`)],
  },
  { name: 'the listener of the console', port: consolePort, pages: ['/', ...consolePages] },
];

function send(port: number, method: string, target: string, body?: string) {
  return sendRequest(port, agent, { method, target, ...(body !== undefined && { body }) });
}

const securityHeaders = ['content-security-policy', 'x-content-type-options', 'referrer-policy'];

for (const { name, port, pages } of listeners) {
  test(`every other method of a page of ${name} is 1006 with 405, and Allow lists GET and HEAD`, async () => {
    for (const page of pages)
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND']) {
        const { status, headers, text } = await send(port, method, `${page}?x=1`);
        assert.equal(status, 405, `${method} ${page}: ${text}`);
        assert.equal(headers.allow, 'GET, HEAD');
        assert.deepEqual(JSON.parse(text), {
          code: 1006,
          message: `this path does not support ${method}; it supports GET, HEAD`,
        });
        for (const header of securityHeaders) assert.ok(headers[header], `${method} ${page}: ${header}`);
        assert.equal(headers['cache-control'], 'no-store');
      }
  });

  test(`HEAD of a page of ${name} is answered like GET, without a body`, async () => {
    const compared = ['content-type', 'location', 'cache-control', ...securityHeaders];
    for (const page of pages) {
      const [get, head] = [await send(port, 'GET', page), await send(port, 'HEAD', page)];
      assert.ok([200, 302].includes(get.status), page);
      assert.deepEqual([head.status, head.text], [get.status, ''], page);
      for (const header of compared)
        assert.equal(withoutNonce(head.headers[header]), withoutNonce(get.headers[header]), page);
      // The ages of the checks may have another number of digits. A redirection without a body has no length.
      if (get.status === 200 && page !== '/readyz')
        assert.equal(head.headers['content-length'], get.headers['content-length'], page);
    }
  });

  test(`no method of an unknown path of ${name} is more than 1005 with 404`, async () => {
    const unknown = ['/docsx', '/docs/none', '/docs/style.css/x', '/healthz/', '/console/assets/none.js'];
    for (const path of [...unknown, '/console/api/none', '/console/api/tenants/1/none', '/consolex'])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND']) {
        const { status, headers, text } = await send(port, method, path);
        assert.deepEqual([status, headers.allow], [404, undefined], `${method} ${path}`);
        if (method !== 'HEAD') assert.equal(JSON.parse(text).code, 1005);
      }
  });
}

function withoutNonce(header: string | string[] | undefined): string | undefined {
  return header?.toString().replace(/nonce-[\w+/=]+/, 'nonce');
}

test('a wrong method of a path whose characters are encoded is 1006, as for the path that the router decodes', async () => {
  for (const [method, path, methods] of [
    ['POST', '/%68ealthz', 'GET, HEAD'],
    ['PATCH', '/us%65r', 'POST, GET, PUT, DELETE'],
    ['POST', '/docs/style%2Ecss', 'GET, HEAD'],
    ['POST', '/docs/signers%2Fpython', 'GET, HEAD'],
    ['POST', '/console/api%2Fsession', 'GET, HEAD'],
    ['PUT', '/console/api/tenants/%31/user/%72ole', 'POST, GET, DELETE'],
  ] as const) {
    const { status, headers, text } = await send(plain.port, method, path);
    assert.deepEqual([status, headers.allow], [405, methods], `${method} ${path}: ${text}`);
    const message = `this path does not support ${method}; it supports ${methods}`;
    assert.deepEqual(JSON.parse(text), { code: 1006, message });
  }
  const { text } = await send(plain.port, 'POST', '/us%65rs');
  assert.match(JSON.parse(text).message, /; POST \/user creates one user/);
});

test('an encoded slash separates nothing, and a path that is encoded twice or cannot be decoded is unknown', async () => {
  for (const path of [
    '/user%2Frole',
    '/docs%2fstyle.css',
    '/%2568ealthz',
    '/docs/style%252Ecss',
    '/%zz',
    '/healthz%',
  ])
    for (const method of ['GET', 'POST', 'PATCH', 'QUERY', 'PROPFIND']) {
      const { status, headers, text } = await send(plain.port, method, path);
      assert.deepEqual([status, headers.allow], [404, undefined], `${method} ${path}: ${text}`);
      assert.equal(JSON.parse(text).code, 1005);
    }
});

test('a page is asked what is there for the methods alone that it does not serve', async () => {
  const app = Fastify();
  const known = KnownPaths.of(app);
  const asked: string[] = [];
  const isThere = (rest: string) => {
    asked.push(rest);
    return true;
  };
  addPage(app, '/files/*', (_request, reply) => reply.callNotFound(), isThere);
  app.put('/files/:name', async () => '');
  for (const method of ['GET', 'HEAD']) assert.deepEqual(await known.methodsAt('/files/a', method), ['PUT']);
  assert.deepEqual(asked, []);
  assert.deepEqual(await known.methodsAt('/files/a', 'POST'), ['GET', 'HEAD', 'PUT']);
  assert.deepEqual(asked, ['a']);
  await app.close();
});

test('a wrong method of a call of the console is 1006, and Allow lists those of the path', async () => {
  for (const port of [plain.port, consolePort])
    for (const [path, methods] of [
      ['/console/api/session', 'GET, POST, DELETE'],
      ['/console/api/tenants/1/user/status', 'PUT'],
    ]) {
      const { status, headers, text } = await send(port, 'PATCH', path as string);
      assert.deepEqual([status, headers.allow], [405, methods], text);
      assert.equal(JSON.parse(text).code, 1006);
    }
});

test('a wrong method of a page is answered once its body has been read, which may be too large', async () => {
  assert.equal((await send(plain.port, 'POST', '/healthz', 'x'.repeat(100_000))).status, 405);
  const tooLarge = 'x'.repeat(plain.settings.bodyBytesMax + 1);
  assert.equal((await send(plain.port, 'POST', '/healthz', tooLarge)).status, 413);
});

test('where the reference and the console are off, their paths are unknown to every method', async () => {
  const closed = await startTestServer({ settings: { docs: false, console: false } });
  try {
    for (const page of [...reference, ...consolePages])
      assert.equal((await send(closed.port, 'POST', page)).status, 404, page);
  } finally {
    await closed.close();
  }
});
