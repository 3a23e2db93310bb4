import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify, { type FastifyInstance } from 'fastify';
import { acceptBetweenRequests } from './accept-between-requests.ts';
import { Admission } from './admission.ts';
import { WaitingBodies } from './waiting-bodies.ts';

const busyClients = 100;
const newClients = 100;

/** As many as a large machine allows. */
function bodiesOf(): WaitingBodies {
  return new WaitingBodies({ requests: 8_192, chunked: 32, bytes: 128 * 1024 * 1024 });
}

const app = Fastify();
let handled = 0;
app.get('/', async () => {
  handled += 1;
  return 'answer';
});
const admission = new Admission({ waitMaxMs: 50, onRefused: () => {} });
acceptBetweenRequests(app, admission, (_request, response) => response.writeHead(503).end(), bodiesOf());
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

const request = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

function open(): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  sockets.push(socket);
  return socket.on('error', () => {});
}

test('new connections are accepted at the pace of requests, not one per iteration of the event loop', async () => {
  const busy = Array.from({ length: busyClients }, open);
  await Promise.all(busy.map((socket) => once(socket, 'data')));
  for (const socket of busy) socket.on('data', () => socket.write(request)).write(request);
  const before = handled;
  await Promise.all(Array.from({ length: newClients }, () => once(open(), 'data')));
  const meanwhile = handled - before;
  for (const socket of busy) socket.destroy();
  assert.ok(meanwhile < (busyClients * newClients) / 5, `${meanwhile} requests were handled first`);
});

test('many requests that arrive together on one connection are all answered', async () => {
  const socket = open();
  const text: string[] = [];
  socket.setEncoding('utf8').on('data', (part: string) => text.push(part));
  socket.write(request.repeat(300));
  // Some are refused if the machine is too busy to empty the queue.
  while (text.join('').split('HTTP/1.1 ').length - 1 < 301) await once(socket, 'data');
});

/** Refuses every request that cannot be handled at once, and handles one in each iteration. */
class FullAdmission extends Admission {
  constructor() {
    super({ waitMaxMs: 50, onRefused: () => {} });
  }

  override get requestsPerIteration(): number {
    return 1;
  }

  override admits(): boolean {
    return false;
  }
}

test('what may not wait is refused with its own request and response, but health checks are always answered', async () => {
  const full = Fastify();
  for (const path of ['/', '/healthz', '/readyz']) full.get(path, async () => 'answer');
  const refused: (string | undefined)[] = [];
  const refuse = ({ url }: IncomingMessage, response: ServerResponse) => {
    refused.push(url);
    response.writeHead(503).end();
  };
  acceptBetweenRequests(full, new FullAdmission(), refuse, bodiesOf());
  await full.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((full.server.address() as AddressInfo).port, '127.0.0.1');
  const text: string[] = [];
  client.setEncoding('utf8').on('data', (part: string) => text.push(part));
  const statuses = () => [...text.join('').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  // Connects, so that no later iteration has a new connection.
  client.write(request);
  while (statuses().length < 1) await once(client, 'data');
  refused.length = 0;
  const targets = ['/?handled', '/?first', '/healthz', '/readyz?from=proxy', '/?second'];
  client.write(targets.map((target) => request.replace('/', target)).join(''));
  while (statuses().length < 1 + targets.length) await once(client, 'data');
  client.destroy();
  await full.close();
  assert.deepEqual(statuses().slice(1), ['200', '503', '200', '200', '503']);
  assert.deepEqual(refused, ['/?first', '/?second']);
});

/** A server whose connections and requests the test announces, and which counts the requests that it handles. */
class AnnouncedServer {
  handled = 0;
  refused = 0;
  readonly #server = createServer(() => {
    this.handled += 1;
  });

  readonly #admission = new Admission({ waitMaxMs: 60_000, onRefused: () => {} });

  constructor(bodies = bodiesOf()) {
    this.#server.removeAllListeners('connection');
    const app = { server: this.#server } as FastifyInstance;
    const refuse = () => {
      this.refused += 1;
    };
    acceptBetweenRequests(app, this.#admission, refuse, bodies);
  }

  get refusedByAdmission(): number {
    const refused = this.#admission.metricSources().find(({ name }) => name.endsWith('_refused_total'));
    assert(refused?.type === 'counter');
    return refused.read() as number;
  }

  announceConnection(): void {
    this.#server.emit('connection');
  }

  announceRequest(headers: IncomingHttpHeaders = {}, url = '/'): IncomingMessage {
    const request = { headers, url } as IncomingMessage;
    this.#server.emit('request', request, {} as ServerResponse);
    return request;
  }
}

test('a request is handled at once unless a connection has arrived in the same iteration', async () => {
  const server = new AnnouncedServer();
  server.announceRequest();
  assert.equal(server.handled, 1);
  server.announceConnection();
  server.announceRequest();
  assert.equal(server.handled, 1);
  await nextIteration();
  await nextIteration();
  assert.equal(server.handled, 2);
  server.announceRequest();
  assert.equal(server.handled, 3);
});

test('a request waits for at most 128 iterations with a new connection each', async () => {
  const server = new AnnouncedServer();
  server.announceConnection();
  server.announceRequest();
  let iterations = 0;
  for (; server.handled === 0 && iterations < 200; iterations += 1) {
    server.announceConnection();
    await nextIteration();
  }
  assert.equal(iterations, 128);
});

test('a health check does not wait behind other requests', async () => {
  const server = new AnnouncedServer();
  server.announceConnection();
  for (let count = 0; count < 5_000; count += 1) server.announceRequest();
  for (let iteration = 0; iteration < 3; iteration += 1) {
    const before = server.handled;
    for (let count = 0; count < 17; count += 1) server.announceRequest({}, '/healthz');
    assert.equal(server.handled - before, 16, 'one more in an iteration waits like any other');
    await nextIteration();
  }
});

const chunked = { 'transfer-encoding': 'chunked' };
const large = { 'content-length': '5000000' };

for (const [bodies, headers, countMax, others] of [
  ['bodies of unknown length', chunked, 32, [{}, large]],
  ['large bodies', large, 2_048, [{}, chunked]],
] as const) {
  test(`${countMax} requests with ${bodies} may wait; one more is refused, and others are not`, async () => {
    const server = new AnnouncedServer();
    for (let round = 1; round <= 2; round += 1) {
      server.announceConnection();
      for (let count = 0; count < countMax + 1; count += 1) server.announceRequest(headers);
      for (const other of others) server.announceRequest(other);
      assert.equal(server.refused, round);
      assert.equal(server.refusedByAdmission, round);
      while (server.handled < (countMax + others.length) * round) await nextIteration();
    }
  });
}

for (const others of [0, 5_000])
  test(`a request that was handled after a wait is not kept, while ${others} others wait`, async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const server = new AnnouncedServer();
    server.announceConnection();
    const waiting = new WeakRef(server.announceRequest());
    for (let count = 0; count < others; count += 1) server.announceRequest();
    while (server.handled === 0) await nextIteration();
    assert.ok(others === 0 || server.handled < others);
    collectGarbage();
    assert.equal(waiting.deref(), undefined);
  });
