import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
const based = await startTestServer({ settings: { basePath: '/api/v1' } });
after(() => Promise.all([server.close(), based.close()]));

const unknown = [
  '/',
  '/people',
  '/user/',
  '/User',
  '/user/roles',
  '//user',
  '/user/role/1',
  '/ir',
  '/user%2frole',
];

for (const target of unknown) {
  test(`${target} is 1005 with 404, and the message names the path`, async () => {
    const answer = await server.send({ method: 'GET', target: `${target}?secret=query` });
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.envelope, {
      code: 1005,
      message: `there is no operation at ${JSON.stringify(target)}`,
    });
  });
}

for (const target of ['/%zz', '/user%', '/%ff']) {
  test(`${target} cannot be decoded and is 1005 as well`, async () => {
    const answer = await server.send({ method: 'GET', target });
    assert.equal(answer.status, 404, answer.text);
    assert.equal(answer.envelope.code, 1005);
  });
}

test('a path that cannot be decoded is answered with the headers of every response', async () => {
  const answer = await server.send({ method: 'GET', target: '/%zz' });
  assert.match(answer.requestId, /^[0-9a-f]{12}-/);
  assert.equal(answer.headers['cache-control'], 'no-store');
});

test('the message cuts off a very long path', async () => {
  const answer = await server.send({ method: 'GET', target: `/${'x'.repeat(5000)}` });
  assert.equal(answer.envelope.code, 1005);
  assert(answer.envelope.message.length < 300);
});

test('below another base path, the message says where operations are', async () => {
  const answer = await based.send({ method: 'GET', target: '/user' });
  assert.match(answer.envelope.message, /"\/user"; operations are below \/api\/v1$/);
  const wrong = await based.send({ method: 'PATCH', target: '/api/v1/user' });
  assert.equal(wrong.envelope.code, 1006);
});

const allowed: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/user', ['POST', 'GET', 'PUT', 'DELETE']],
  ['/user/role', ['POST', 'GET', 'DELETE']],
  ['/user/org', ['POST', 'DELETE']],
  ['/user/store', ['POST', 'DELETE', 'GET']],
  ['/user/stores', ['POST']],
  ['/role', ['POST', 'GET', 'PUT', 'DELETE']],
  ['/roles', ['GET']],
  ['/stores', ['GET', 'POST']],
  ['/store/users', ['GET']],
];

for (const [path, methods] of allowed) {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    if (methods.includes(method)) continue;
    test(`${method} ${path} is 1006 with 405, and Allow lists the methods`, async () => {
      const answer = await server.send({ method, target: `${path}?x=1` });
      assert.equal(answer.status, 405, answer.text);
      assert.equal(answer.headers.allow, methods.join(', '));
      assert.deepEqual(answer.envelope, {
        code: 1006,
        message: `this path does not support ${method}; it supports ${methods.join(', ')}`,
      });
    });
  }
}

test('HEAD is not an operation: 405 without a body', async () => {
  const answer = await server.send({ method: 'HEAD', target: '/user' });
  assert.equal(answer.status, 405);
  assert.equal(answer.text, '');
});

test('a wrong method with a large body is answered', async () => {
  const answer = await server.send({ method: 'PATCH', target: '/user', body: 'x'.repeat(100_000) });
  assert.equal(answer.envelope.code, 1006);
});

test('QUERY, which has stricter rules elsewhere, is answered like every unsupported method', async () => {
  const wrong = await server.send({ method: 'QUERY', target: '/user' });
  assert.deepEqual(
    [wrong.status, wrong.envelope.code, wrong.headers.allow],
    [405, 1006, 'POST, GET, PUT, DELETE'],
  );
  const nowhere = await server.send({ method: 'QUERY', target: '/nope' });
  assert.deepEqual([nowhere.status, nowhere.envelope.code], [404, 1005]);
});
