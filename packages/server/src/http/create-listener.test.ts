import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, afterEach, describe, mock, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { sendRequest } from '../../test/send-request.ts';
import { startTestServer } from '../../test/test-server.ts';
import { ArrivalWatch, windowMs } from './body/arrival-watch.ts';
import { Admission } from './limits/admission.ts';

const agent = new Agent();
const plain = await startTestServer({ settings: { console: false } });
const joint = await startTestServer();
const apart = await startTestServer({ settings: { consoleListen: '127.0.0.1:0' } });
const consolePort = await listenForConsole();
after(() => Promise.all([plain.close(), joint.close(), apart.close()]));
afterEach(() => mock.restoreAll());

async function listenForConsole(): Promise<number> {
  const { consoleListener } = apart.app;
  assert.ok(consoleListener !== undefined);
  await consoleListener.listen({ host: '127.0.0.1', port: 0 });
  return (consoleListener.server.address() as AddressInfo).port;
}

async function ask(port: number, target: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await sendRequest(port, agent, { method: 'GET', target, headers });
  const isEnvelope = String(answer.headers['content-type']).startsWith('application/json');
  return { ...answer, code: isEnvelope ? JSON.parse(answer.text).code : undefined };
}

/** Sends bytes as given, and returns everything received until the server closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.from(bytes, 'latin1'));
  return text(socket);
}

describe('the console', () => {
  test('is nowhere when it is off', async () => {
    assert.equal(plain.app.consoleListener, undefined);
    for (const path of ['/console', '/console/', '/console/api/session'])
      assert.equal((await ask(plain.port, path)).code, 1005, path);
  });

  test('is below /console beside the operations, where it has no port of its own', async () => {
    assert.equal(joint.app.consoleListener, undefined);
    assert.match(String((await ask(joint.port, '/console/')).headers['content-type']), /^text\//);
    assert.equal((await ask(joint.port, '/console/api/session')).code, 1601);
    assert.equal((await ask(joint.port, '/user')).code, 1011);
  });

  test('is on its own port alone, where it has one', async () => {
    for (const path of ['/', '/console', '/console/', '/console/api/session'])
      assert.equal((await ask(apart.port, path)).code, 1005, path);
    assert.match(String((await ask(consolePort, '/console/')).headers['content-type']), /^text\//);
    const { status, code } = await ask(consolePort, '/console/api/session');
    assert.deepEqual([status, code], [401, 1601]);
  });

  test('is where the root of its own port leads', async () => {
    const { status, headers } = await ask(consolePort, '/');
    assert.deepEqual([status, headers.location], [302, '/console/']);
  });

  test('has nothing but itself on its own port', async () => {
    for (const path of ['/user', '/healthz', '/readyz', '/docs', '/openapi.json', '/metrics']) {
      const { status, code, text: answer } = await ask(consolePort, path);
      assert.deepEqual([status, code], [404, 1005], path);
      assert.match(answer, /this port serves the console only/);
    }
  });

  test('has standard statuses on its own port, whatever those of the operations are', async () => {
    const raw = 'GET /user?\xff HTTP/1.1\r\n\r\n';
    assert.match(await exchange(consolePort, raw), /^HTTP\/1\.1 400 .*"code":1001/s);
    assert.match(await exchange(apart.port, raw), /^HTTP\/1\.1 200 .*"code":1001/s);
  });
});

describe('a header of the signature', () => {
  const target = '/user?username=nobody';
  const ask = (headers: readonly (readonly [string, string])[]) => {
    const lines = [...headers, ['Host', 'x'], ['Connection', 'close']].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return exchange(plain.port, `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  };

  for (const name of ['Authorization', 'Timestamp', 'Nonce'] as const) {
    test(`that is sent twice is refused by its name, even when both are right: ${name}`, async () => {
      const { headers } = plain.sign('GET', target);
      const sent = Object.entries(headers);
      assert.match(await ask(sent), /"code":1101,/);
      const answer = await ask([...sent, [name.toLowerCase(), headers[name]]]);
      assert.ok(
        answer.endsWith(`{"code":1011,"message":"the ${name} header was sent 2 times; send it once"}`),
        answer,
      );
    });
  }

  test('may contain a comma, but is refused in several lines that make the same value', async () => {
    const signed = plain.sign('GET', target, undefined, { nonce: 'one, two' });
    const { Nonce, ...others } = signed.headers;
    const sent = Object.entries(others);
    assert.match(await ask([...sent, ['Nonce', Nonce]]), /"code":1101,/);
    const lines = [
      ['Nonce', 'one'],
      ['Nonce', 'two'],
    ] as const;
    assert.match(await ask([...sent, ...lines]), /"code":1011,"message":"the Nonce header was sent 2 times;/);
  });
});

test('a request without a Host is answered like any other', async () => {
  const request = 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n';
  assert.match(await exchange(plain.port, request), /^HTTP\/1\.1 200 /);
});

test('a request with an expectation that nobody knows is answered like any other', async () => {
  const { code, headers } = await ask(plain.port, '/user', { Expect: 'a miracle' });
  assert.equal(code, 1011);
  assert.match(String(headers['x-request-id']), /^[0-9a-f]{12}-/);
});

test('a request for a path that cannot be decoded learns, like any other, that its connection closes', async (t) => {
  const server = await startTestServer({ settings: { console: false } });
  t.after(() => server.close());
  const connectionOf = async (target: string) =>
    (await server.send({ method: 'GET', target })).headers.connection;
  assert.equal(await connectionOf('/%zz'), 'keep-alive');
  const stopped = server.app.stop({ replaced: true });
  assert.equal(await connectionOf('/%zz'), 'close');
  await stopped;
});

test('what may not wait is refused with 1503 and a request id of its own', async () => {
  mock.method(Admission.prototype, 'admits', () => false);
  mock.getter(Admission.prototype, 'requestsPerIteration', () => 0);
  const answers = await Promise.all([ask(plain.port, '/user'), ask(plain.port, '/user')]);
  for (const { status, code } of answers) assert.deepEqual([status, code], [503, 1503]);
  const ids = answers.map(({ headers }) => headers['x-request-id']);
  assert.equal(new Set(ids).size, 2);
  for (const id of ids) assert.match(String(id), /^[0-9a-f]{12}-[0-9a-z]+$/);
});

test('a body that arrives too slowly is cut off; once the listener is closed, nothing looks for slow bodies', {
  timeout: 240_000,
}, async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const server = await startTestServer({ settings: { console: false } });
  const { listener } = server.app;
  t.after(() => {
    listener.server.closeAllConnections();
    return server.close();
  });
  const check = t.mock.method(ArrivalWatch.prototype, 'check');
  const answer = exchange(server.port, 'POST /nope HTTP/1.1\r\nContent-Length: 20\r\n\r\nabc');
  let isOver = false;
  answer.finally(() => {
    isOver = true;
  });
  while (!isOver && !t.signal.aborted) {
    nowMs += windowMs;
    t.mock.timers.tick(1_000);
    await nextIteration();
  }
  assert.match(await answer, /\r\nConnection: close\r\n.*"code":1005/is);
  await server.close();
  const checks = check.mock.callCount();
  t.mock.timers.tick(10_000);
  assert.equal(check.mock.callCount(), checks);
});
