import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import Fastify from 'fastify';
import { reservePort } from '../../test/reserve-port.ts';
import { startTestServer } from '../../test/test-server.ts';
import { type CloseOptions, createDrain } from './drain.ts';

test('a draining server is not ready, but serves new connections until --drain is over', async () => {
  const drain = Promise.withResolvers<void>();
  const waits: number[] = [];
  const waitToDrain = (ms: number) => {
    waits.push(ms);
    return drain.promise;
  };
  const settings = { drainSeconds: 1, port: await reservePort() };
  const server = await startTestServer({ settings, waitToDrain });
  const stopped = server.app.stop();
  const ready = await server.send({ method: 'GET', target: '/readyz', headers: { Connection: 'close' } });
  assert.deepEqual([ready.status, ready.envelope.code, ready.headers['retry-after']], [503, 1503, '1']);
  assert.match(ready.envelope.message, /^draining: /);
  const answer = await server.call('GET', '/user?username=nobody', undefined, {
    headers: { Connection: 'close' },
  });
  assert.equal(answer.envelope.code, 1101);
  assert.deepEqual(waits, [1_000]);
  drain.resolve();
  await stopped;
  await assert.rejects(server.send({ method: 'GET', target: '/healthz' }), { code: 'ECONNREFUSED' });
  await server.close();
});

test('a server replaced by another process stays ready on its remaining connections', async () => {
  const server = await startTestServer({ settings: { drainSeconds: 1 } });
  assert.equal((await server.send({ method: 'GET', target: '/readyz' })).headers.connection, 'keep-alive');
  const stopped = server.app.stop({ replaced: true });
  const ready = await server.send({ method: 'GET', target: '/readyz' });
  assert.deepEqual([ready.status, ready.headers.connection], [200, 'close']);
  await stopped;
  await server.close();
});

test('a stop serves new connections until others who hold the port have let go of it', async () => {
  const server = await startTestServer();
  const statuses: number[] = [];
  await server.app.stop({
    async beforeClosing() {
      const headers = { Connection: 'close' };
      statuses.push((await server.send({ method: 'GET', target: '/healthz', headers })).status);
    },
  });
  assert.deepEqual(statuses, [200]);
  await server.close();
});

test('a connection that never sends a request does not hold up a stop', { timeout: 20_000 }, async () => {
  const server = await startTestServer();
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await server.app.stop();
  await closed;
  await server.close();
});

/** A clock that the test sets, in place of the process's own. */
class TestClock {
  nowMs = 5_000;
  /** How far each reading moves it. */
  stepMs = 0;
  /** Set when the drain has ended, after which nobody reads the clock any more. */
  isOver = false;
  #readings = 0;

  constructor({ mock }: TestContext) {
    mock.method(performance, 'now', () => this.#read());
  }

  /** Resolves once the drain has looked at its connections again. */
  async looked(): Promise<void> {
    const readings = this.#readings + 4;
    while (this.#readings < readings && !this.isOver) await nextIteration();
  }

  #read(): number {
    this.#readings += 1;
    this.nowMs += this.stepMs;
    return this.nowMs;
  }
}

async function startDrain(t: TestContext) {
  const clock = new TestClock(t);
  const app = Fastify();
  const drain = createDrain(app);
  const accepted: Socket[] = [];
  app.server.on('connection', (socket: Socket) => accepted.push(socket));
  app.get('/', async () => 'answer');
  app.get('/never', () => new Promise(() => {}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = () => connect(port, '127.0.0.1').on('error', () => {});
  const connected = async (bytes: string) => {
    const client = open();
    client.write(bytes);
    while ((accepted.at(-1)?.bytesRead ?? 0) < bytes.length) await nextIteration();
    return { client, served: accepted.at(-1) as Socket };
  };
  const close = async (options: CloseOptions) => {
    await drain.closeConnections(options);
    clock.isOver = true;
  };
  return { clock, drain, close, accepted, open, connected };
}

async function assertClosedInASecond(clock: TestClock, served: Socket, closed: Promise<void>): Promise<void> {
  await clock.looked();
  clock.nowMs += 999;
  await clock.looked();
  assert.equal(served.destroyed, false);
  clock.nowMs += 1;
  await closed;
  assert.equal(served.destroyed, true);
}

test('a connection is closed once nothing was received on it for a while, and not before', async (t) => {
  const { clock, drain, close, connected } = await startDrain(t);
  const { client, served } = await connected('GET');
  assert.equal(drain.isClosing(), false);
  const closed = close({ idleMs: 1_000, timeoutMs: 10_000 });
  assert.equal(drain.isClosing(), true);
  await clock.looked();
  clock.nowMs += 999;
  await clock.looked();
  assert.equal(served.destroyed, false);
  client.write(' / ');
  while (served.bytesRead < 6) await nextIteration();
  await assertClosedInASecond(clock, served, closed);
});

test('a request without an answer keeps its connection, however quiet, until the time for closing is over', async (t) => {
  const { clock, close, connected } = await startDrain(t);
  const { served } = await connected('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
  const closed = close({ idleMs: 10, timeoutMs: 1_000 });
  await assertClosedInASecond(clock, served, closed);
});

test('connections that wait to be accepted are answered before the listener closes', async (t) => {
  const { close, accepted, open, connected } = await startDrain(t);
  const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  await connected(request);
  const waiting = Array.from({ length: 20 }, open);
  // By then the operating system has accepted them, and the server has not.
  await new Promise((resolve) => process.nextTick(resolve));
  const closed = close({ idleMs: 1_000, timeoutMs: 10_000 });
  assert.equal(accepted.length, 1);
  for (const client of waiting) client.write(request);
  for (const client of waiting) assert.match(await text(client), /^HTTP\/1\.1 200 /);
  await closed;
});

test('connections that go on arriving do not hold up a stop for more than a second', async (t) => {
  const { clock, close, accepted, open } = await startDrain(t);
  Array.from({ length: 20 }, open);
  await new Promise((resolve) => process.nextTick(resolve));
  clock.stepMs = 1_000;
  await close({ idleMs: 1_000, timeoutMs: 10_000 });
  assert.equal(accepted.length, 0);
});
