import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { startTestServer } from '../../test/test-server.ts';
import { ClaimsPurgedError } from '../database/claims.ts';
import { ApiError } from '../errors/api-error.ts';
import { ArrivalWatch, windowMs } from './body/arrival-watch.ts';
import { BodyBudget } from './body/body-budget.ts';
import { passBodiesOn } from './body/unread-bodies.ts';
import type { RequestLog } from './log/request-log.ts';
import { addFallbacks } from './unmatched.ts';

const server = await startTestServer();
const based = await startTestServer({ settings: { basePath: '/api/v1' } });
after(() => Promise.all([server.close(), based.close()]));

const unknown = ['/', '/people', '/people/1', '/user/roles', '/ir', '/user%2frole'];

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

for (const [target, similar] of [
  ['/user/', '/user'],
  ['//user', '/user'],
  ['/User', '/user'],
  ['/api/v1/user/role', '/user/role'],
] as const) {
  test(`${target} is 1005, and the message suggests ${similar}`, async () => {
    const { envelope } = await server.send({ method: 'GET', target });
    const message = `there is no operation at ${JSON.stringify(target)}; did you mean ${JSON.stringify(similar)}?`;
    assert.deepEqual(envelope, { code: 1005, message });
  });
}

for (const target of ['/users/82', '/user/role/1', '/store/N-001']) {
  test(`${target} is 1005, and the message says where ids go`, async () => {
    const { envelope } = await server.send({ method: 'GET', target });
    const message = `there is no operation at "${target}"; ids and codes go in the query or the body, not in the path`;
    assert.deepEqual(envelope, { code: 1005, message });
  });
}

for (const [target, hint] of [
  ['/user', 'did you mean "/api/v1/user"?'],
  ['/user/role/', 'did you mean "/api/v1/user/role"?'],
  ['/api/v1//user', 'did you mean "/api/v1/user"?'],
  ['/api/v1/User', 'did you mean "/api/v1/user"?'],
  ['/api/v1/user/', 'did you mean "/api/v1/user"?'],
  ['/nobody', 'operations are below /api/v1'],
  ['/api/v1', 'operations are below /api/v1'],
  ['/api/v1/nobody', undefined],
  ['/api/v1/', undefined],
] as const) {
  test(`below a base path, ${target} is 1005, and the message says ${hint ?? 'no more'}`, async () => {
    const { envelope } = await based.send({ method: 'GET', target });
    const rest = hint === undefined ? '' : `; ${hint}`;
    assert.deepEqual(envelope, {
      code: 1005,
      message: `there is no operation at ${JSON.stringify(target)}${rest}`,
    });
  });
}

for (const target of ['/%zz', '/user%', '/%ff']) {
  test(`${target} cannot be decoded and is 1005 as well`, async () => {
    const answer = await server.send({ method: 'GET', target });
    assert.equal(answer.status, 404, answer.text);
    assert.equal(answer.envelope.code, 1005);
    const withQuery = await server.send({ method: 'GET', target: `${target}?secret=query` });
    assert.equal(withQuery.envelope.message, `there is no operation at "${target}"`);
  });
}

for (const target of ['/people', '/%zz']) {
  test(`${target} of a whole URL is 1005, and neither message nor log has the URL's password`, async () => {
    const answer = await sendLine(`GET http://ada:hunter2@directory.example${target}?secret=query HTTP/1.1`);
    assert.match(answer, new RegExp(`"code":1005,"message":"there is no operation at \\\\"${target}\\\\""`));
    assert.ok(!server.logLines.some((line) => line.includes('hunter2')));
  });
}

test('the line about a refused call has no password of its URL either', async () => {
  const answer = await sendLine('GET http://ada:hunter2@directory.example/user?username=x HTTP/1.1');
  assert.match(answer, /"code":1011,/);
  assert.match(server.logLines.at(-1) ?? '', /"code":1011,.*"path":"\/user"/);
  assert.ok(!server.logLines.some((line) => line.includes('hunter2')));
});

test('a wrong method for a whole URL is 1006, as for its path', async () => {
  const answer = await sendLine('PATCH http://directory.example/user HTTP/1.1');
  assert.match(answer, /^HTTP\/1\.1 405 .*^allow: POST, GET, PUT, DELETE\r$.*"code":1006,/ims);
});

/** Sends a request with this line, and returns all of its answer. */
function sendLine(line: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`${line}\r\nHost: directory.example\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test('the answer to a path that cannot be decoded has the headers that every response has', async () => {
  const answer = await server.send({ method: 'GET', target: '/%zz' });
  assert.match(answer.requestId, /^[0-9a-f]{12}-/);
  assert.equal(answer.headers['cache-control'], 'no-store');
});

test('the message shows a path of 200 characters, and the start of a longer one', async () => {
  const whole = `/${'x'.repeat(199)}`;
  for (const [path, shown] of [
    [whole, whole],
    [`${whole}x`, `${whole}…`],
    [whole.repeat(25), `${whole}…`],
  ] as const) {
    const { envelope } = await server.send({ method: 'GET', target: path });
    assert.deepEqual(envelope, { code: 1005, message: `there is no operation at "${shown}"` });
  }
});

test('a base path that is sent twice is 1005, and a wrong method below it 1006', async () => {
  const twice = await based.send({ method: 'GET', target: '/api/v1/api/v1/user' });
  assert.match(twice.envelope.message, /; did you mean "\/api\/v1\/user"\?$/);
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
      const { message, ...rest } = answer.envelope;
      assert.deepEqual(rest, { code: 1006 });
      const [refusal, supported] = message.split('; ');
      assert.equal(refusal, `this path does not support ${method}`);
      assert.equal(supported, `it supports ${methods.join(', ')}`);
    });
  }
}

test('a path without an operation with that method names where it is', async () => {
  for (const [method, path, hint] of [
    ['POST', '/users', /; it supports GET; POST \/user creates one user, POST \/users\/batch many$/],
    ['GET', '/user/org', /; it supports POST, DELETE; GET \/user returns the organization of a user$/],
    ['GET', '/user/stores', /; GET \/user\/store returns the stores of a user$/],
    ['GET', '/user/status', /; it supports PUT; GET \/users returns the status of each user$/],
  ] as const) {
    const { envelope } = await server.send({ method, target: path });
    assert.equal(envelope.code, 1006);
    assert.match(envelope.message, hint);
  }
});

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

/** Starts a listener without routes of its own, with a clock for bodies and the failures that its log gets. */
async function startBare(serves: 'operations' | 'console') {
  const app = Fastify({ forceCloseConnections: true });
  const failures: ApiError[] = [];
  const log: Pick<RequestLog, 'refusal'> = { refusal: (_request, failure) => void failures.push(failure) };
  let nowMs = 0;
  const watch = new ArrivalWatch(() => nowMs);
  const budget = new BodyBudget({ smallBytes: 10_000, largeBytes: 10_000 });
  const settings = { basePath: '', httpStatus: 'standard', bodyBytesMax: 100 } as const;
  passBodiesOn(app);
  app.addHook('onRequest', async ({ url }) => {
    if (url === '/hook') throw new Error('the hook failed');
  });
  app.get('/thrown/:kind', async ({ params }) => {
    throw thrown[(params as { kind: string }).kind];
  });
  app.get('/file', async (request, reply) => {
    const file = new Readable({ read: () => {} });
    request.raw.socket.destroy();
    setImmediate(() => file.destroy());
    file.once('close', () => setImmediate(() => app.server.emit('fileClosed')));
    return reply.send(file);
  });
  addFallbacks(app, {
    ...{ settings, log: log as RequestLog, bodies: { budget, watch }, serves },
    now: () => 12_000,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const passWindow = () => {
    nowMs += windowMs;
    watch.check();
  };
  return { app, failures, passWindow, port: (app.server.address() as AddressInfo).port };
}

test('a file whose caller has disconnected is no failure of the server', async () => {
  const { app, failures, port } = await startBare('operations');
  const closed = once(app.server, 'fileClosed');
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /file HTTP/1.1\r\nHost: x\r\n\r\n'));
  socket.on('error', () => {}).resume();
  await closed;
  assert.deepEqual(failures, []);
  await app.close();
});

const withStatus = (statusCode: number, code?: string) =>
  Object.assign(new Error('complaint'), { statusCode, ...(code !== undefined && { code }) });

const thrown: Readonly<Record<string, Error>> = {
  unreadable: withStatus(400),
  missingType: withStatus(415, 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'),
  internal: withStatus(500),
  withoutStatus: new Error('bug'),
  purged: new ClaimsPurgedError(1, 2),
  refusal: Object.assign(new ApiError(1101, 'no user'), { statusCode: 404 }),
};

test('a complaint of Fastify is the caller’s mistake, any other error is the server’s, each with its cause', async () => {
  const { app, failures } = await startBare('operations');
  const expected = {
    unreadable: [400, 1001, 'the request cannot be read: complaint'],
    missingType: [400, 1001, 'the request cannot be read: complaint'],
    internal: [500, 1500, /^internal error/],
    withoutStatus: [500, 1500, /^internal error/],
    purged: [401, 1012, /\(the server's time 12\)/],
    refusal: [404, 1101, 'no user'],
  } as const;
  for (const [kind, [status, code, message]] of Object.entries(expected)) {
    failures.length = 0;
    const answer = await app.inject(`/thrown/${kind}`);
    const envelope = answer.json();
    assert.deepEqual([answer.statusCode, envelope.code], [status, code], kind);
    if (typeof message === 'string') assert.equal(envelope.message, message);
    else assert.match(envelope.message, message);
    const [failure] = failures;
    if (kind === 'refusal') assert.equal(failure, thrown[kind]);
    else assert.equal(failure?.cause, thrown[kind]);
  }
  await app.close();
});

test('an error on an unknown path is not hidden behind 1005', async () => {
  const { app, failures } = await startBare('operations');
  const answer = await app.inject('/hook');
  assert.deepEqual([answer.statusCode, answer.json().code], [500, 1500]);
  assert.match(String(failures[0]?.cause), /the hook failed/);
  await app.close();
});

test('the port of the console knows no operation, and says what it serves', async () => {
  const { app } = await startBare('console');
  const answer = await app.inject({ method: 'PATCH', url: '/user' });
  assert.deepEqual([answer.statusCode, answer.headers.allow], [404, undefined]);
  assert.deepEqual(answer.json(), {
    code: 1005,
    message: 'there is nothing at "/user": this port serves the console only, at /console/',
  });
  await app.close();
});

test('the body of a request for an unknown path is read, and may be too large', async () => {
  const { app } = await startBare('operations');
  for (const [bytes, code] of [
    [100, 1005],
    [101, 1004],
  ] as const) {
    const answer = await app.inject({ method: 'POST', url: '/nope', payload: 'x'.repeat(bytes) });
    assert.equal(answer.json().code, code);
    assert.notEqual(answer.headers.connection, 'close');
  }
  await app.close();
});

test('the connection of a body that arrives too slowly for an unknown path is closed', async () => {
  const { app, port, passWindow } = await startBare('operations');
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write('POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\nabc');
  const checks = setInterval(passWindow, 5);
  const [answer] = await once(socket, 'data');
  clearInterval(checks);
  socket.destroy();
  assert.match(answer, /^HTTP\/1\.1 404 /);
  assert.match(answer, /^Connection: close\r$/im);
  assert.match(answer, /"code":1005/);
  await app.close();
});
