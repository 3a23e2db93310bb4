import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { createDrain } from './drain.ts';
import { RestingConnections } from './resting-connections.ts';

const request = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello';

/** No time passes. */
const still = { most: 20_000, now: () => 0 };

/** A client that keeps its connection, and counts the answers. */
class Client {
  readonly #socket: Socket;
  text = '';

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setEncoding('utf8').on('data', (part: string) => {
      this.text += part;
    });
  }

  send(text = request): void {
    this.#socket.write(text);
  }

  get answers(): number {
    return this.text.split('HTTP/1.1 503').length - 1;
  }

  async answered(count: number): Promise<void> {
    while (this.answers < count) await once(this.#socket, 'data');
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** A server that refuses every request, and clients that have each been refused once. */
async function refuseOnce(
  t: TestContext,
  { clients: count, text = request }: { readonly clients: number; readonly text?: string },
) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const resting = new RestingConnections(still);
  const app = Fastify();
  const drain = createDrain(app, () => resting.end());
  app.post('/', (_request, reply) => {
    drain.announce(reply);
    resting.restAfter(reply.raw);
    reply.code(503).send('refused');
  });
  // Answered a turn later, so that the answer to a request behind it has to wait.
  app.get('/slow', async () => nextTurn('served'));
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    done(null);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const clients = Array.from({ length: count }, () => new Client(port));
  t.after(() => {
    for (const client of clients) client.close();
    return app.close();
  });
  for (const client of clients) {
    client.send(text);
    await client.answered(1);
  }
  // The rest of the last one begins in the turn after its answer.
  await nextTurn();
  await nextTurn();
  return { resting, drain, clients };
}

/** Resolves when everything that was sent before could have been read. */
async function settle(client: Client, answers: number): Promise<void> {
  await client.answered(answers);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

test('of many refused connections, 20 go on at once, and 20 in each next 10 ms, in order', async (t) => {
  const { resting, clients } = await refuseOnce(t, { clients: 45 });
  assert.equal(resting.count, 25);
  assert.equal(resting.metricSources()[0]?.read(), 25);
  const [first] = clients;
  const last = clients.at(-1);
  assert.ok(first !== undefined && last !== undefined);
  for (const client of clients.slice(20)) client.send();
  first.send();
  await settle(first, 2);
  assert.deepEqual(new Set(clients.slice(20).map(({ answers }) => answers)), new Set([1]), 'nothing is read');
  t.mock.timers.tick(9);
  assert.equal(resting.count, 26);
  t.mock.timers.tick(1);
  await Promise.all(clients.slice(20, 40).map((client) => client.answered(2)));
  assert.equal(last.answers, 1);
  t.mock.timers.tick(10);
  await last.answered(2);
});

test('few refused connections do not rest', async (t) => {
  const { resting, clients } = await refuseOnce(t, { clients: 20 });
  assert.equal(resting.count, 0);
  t.mock.timers.tick(10);
  for (const client of clients) client.send();
  await Promise.all(clients.map((client) => client.answered(2)));
  assert.equal(resting.count, 0);
});

test('a connection that closes with its answer does not rest', async (t) => {
  const { resting, drain, clients } = await refuseOnce(t, { clients: 21 });
  assert.equal(resting.count, 1);
  const closed = drain.closeConnections({ idleMs: 60_000, timeoutMs: 60_000 });
  for (const client of clients) client.send();
  await Promise.all(clients.map((client) => client.answered(2)));
  assert.equal(resting.count, 0);
  for (const client of clients) assert.match(client.text, /connection: close/i);
  t.mock.timers.reset();
  await closed;
});

test('a request that waits on a resting connection is answered before a stop closes the connection', async (t) => {
  const { resting, drain, clients } = await refuseOnce(t, { clients: 21 });
  const last = clients.at(-1);
  assert.ok(last !== undefined);
  last.send();
  await settle(last, 1);
  assert.equal(last.answers, 1);
  t.mock.timers.reset();
  const closed = drain.closeConnections({ idleMs: 0, timeoutMs: 60_000 });
  await last.answered(2);
  await closed;
  assert.equal(resting.count, 0);
});

/** Notes a refusal on a connection that leads nowhere, as Node.js does at the end of the answer. */
function refuse(resting: RestingConnections, socket = new Socket()): Socket {
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  resting.restAfter(response);
  response.emit('finish');
  response.detachSocket(socket);
  return socket;
}

test('no connection rests for longer than a second, however late the intervals end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  const resting = new RestingConnections({ most: 2_000, now: () => nowMs });
  for (let count = 0; count < 1_020; count += 1) refuse(resting);
  await nextTurn();
  nowMs = 600;
  for (let count = 0; count < 500; count += 1) refuse(resting);
  await nextTurn();
  assert.equal(resting.count, 1_500);
  nowMs = 999;
  t.mock.timers.tick(10);
  assert.equal(resting.count, 1_480);
  nowMs = 1_000;
  t.mock.timers.tick(10);
  assert.equal(resting.count, 500, 'all go on that have rested for a second');
  nowMs = 1_600;
  t.mock.timers.tick(10);
  assert.equal(resting.count, 0);
});

test('the clock of a rest is that of the process', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 5_000;
  t.mock.method(performance, 'now', () => nowMs);
  const resting = new RestingConnections({ most: 100 });
  for (let count = 0; count < 70; count += 1) refuse(resting);
  await nextTurn();
  nowMs += 1_000;
  t.mock.timers.tick(10);
  assert.equal(resting.count, 0);
});

test('so that others can connect, only so many connections rest; then the one that rested longest goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const resting = new RestingConnections({ ...still, most: 10 });
  const sockets = Array.from({ length: 45 }, () => refuse(resting));
  await nextTurn();
  assert.equal(resting.count, 10);
  assert.deepEqual(
    sockets.map((socket) => socket.isPaused()),
    sockets.map((_, index) => index >= 35),
  );
});

test('a refused request that was sent behind another one lets its connection rest', async (t) => {
  const { resting } = await refuseOnce(t, {
    clients: 21,
    text: `GET /slow HTTP/1.1\r\nHost: test\r\n\r\n${request}`,
  });
  assert.equal(resting.count, 1);
});

test('a connection whose client asks to close it takes no turn of another one', async (t) => {
  const { resting } = await refuseOnce(t, {
    clients: 21,
    text: request.replace('\r\n', '\r\nConnection: close\r\n'),
  });
  assert.equal(resting.count, 0);
});

test('no connection rests for more than a hundred intervals, however many do', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const resting = new RestingConnections(still);
  const sockets = Array.from({ length: 10_020 }, () => refuse(resting));
  await nextTurn();
  assert.equal(resting.count, 10_000);
  t.mock.timers.tick(10);
  assert.equal(resting.count, 9_900);
  assert.equal(sockets.filter((socket) => socket.isPaused()).length, 9_900);
  refuse(resting);
  await nextTurn();
  assert.equal(resting.count, 9_901, 'those that were woken used up the interval');
  for (let intervals = 0; intervals < 100; intervals += 1) t.mock.timers.tick(10);
  assert.equal(resting.count, 0);
  assert.ok(sockets.every((socket) => !socket.isPaused()));
  t.mock.timers.tick(10);
  for (let count = 0; count < 100; count += 1) refuse(resting);
  await nextTurn();
  assert.equal(resting.count, 80, 'fewer go on again once few rest');
});

test('a connection rests once at a time, and not while it closes or after the end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const resting = new RestingConnections(still);
  for (let count = 0; count < 20; count += 1) refuse(resting);
  const socket = refuse(resting);
  refuse(resting, socket);
  const closing = new Socket();
  closing.end();
  refuse(resting, closing);
  await nextTurn();
  assert.equal(resting.count, 1);
  resting.end();
  assert.equal(socket.isPaused(), false);
  refuse(resting);
  await nextTurn();
  assert.equal(resting.count, 0);
});

test('no timer runs while no connection rests', async (t) => {
  const timers: (() => void)[] = [];
  t.mock.method(globalThis, 'setTimeout', (ring: () => void) => timers.push(ring));
  const resting = new RestingConnections(still);
  for (let count = 0; count < 21; count += 1) refuse(resting);
  await nextTurn();
  let rung = 0;
  for (; timers.length > 0 && rung < 10; rung += 1) timers.shift()?.();
  assert.equal(rung, 2, 'the interval that wakes the connection, and the one after it');
});

test('a connection whose client has gone does not rest', async () => {
  const resting = new RestingConnections(still);
  for (let count = 0; count < 20; count += 1) refuse(resting);
  refuse(resting, new Socket().destroy());
  await nextTurn();
  assert.equal(resting.count, 0);
});
