import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import Fastify from 'fastify';
import { createDrain } from '../drain.ts';
import { RefusalPace } from './refusal-pace.ts';

/** No time passes. */
const still = { heldMax: 20_000, now: () => 0 };

/** Refuses requests of clients that ignore `Retry-After`, and records which clients the refusal was sent to. */
class Refusals {
  readonly sent: number[] = [];
  readonly #pace: RefusalPace;
  readonly #sockets: readonly Socket[];

  /** Each client has been refused once already. */
  constructor(t: TestContext, pace: RefusalPace, clients: number) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    this.#pace = pace;
    this.#sockets = Array.from({ length: clients }, () => new Socket());
    this.refuse(0, clients);
    assert.equal(this.sent.length, clients, 'the first refusal of each client goes out at once');
    t.mock.timers.tick(5);
    this.sent.length = 0;
  }

  /** Refuses a request of each of the clients from the first to the one before the last. */
  refuse(first: number, last: number): void {
    for (let client = first; client < last; client += 1)
      this.#pace.send(this.#sockets[client] ?? new Socket(), () => this.sent.push(client));
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first }, (_, index) => first + index);
}

test('of many clients that were just refused, 5 get the next refusal at once, and 5 in each next 5 ms, in order', (t) => {
  const pace = new RefusalPace(still);
  const refusals = new Refusals(t, pace, 13);
  refusals.refuse(0, 13);
  assert.deepEqual(refusals.sent, range(0, 5));
  assert.equal(pace.heldCount, 8);
  assert.equal(pace.metricSources()[0]?.read(), 8);
  t.mock.timers.tick(4);
  assert.equal(pace.heldCount, 8);
  t.mock.timers.tick(1);
  assert.deepEqual(refusals.sent, range(0, 10));
  t.mock.timers.tick(5);
  assert.deepEqual(refusals.sent, range(0, 13));
});

test('a client that was not refused within the last second gets its refusal at once, however many wait', (t) => {
  let nowMs = 0;
  const pace = new RefusalPace({ heldMax: 20_000, now: () => nowMs });
  const refusals = new Refusals(t, pace, 60);
  nowMs = 500;
  refusals.refuse(0, 50);
  assert.equal(pace.heldCount, 45);
  nowMs = 999;
  refusals.refuse(58, 59);
  assert.equal(pace.heldCount, 46);
  nowMs = 1_000;
  refusals.refuse(59, 60);
  assert.equal(refusals.sent.at(-1), 59);
  assert.equal(pace.heldCount, 46);
});

test('a second counts from the refusal that waited, not from its request', (t) => {
  let nowMs = 0;
  const pace = new RefusalPace({ heldMax: 20_000, now: () => nowMs });
  const refusals = new Refusals(t, pace, 7);
  refusals.refuse(0, 7);
  nowMs = 900;
  t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 0);
  nowMs = 1_800;
  t.mock.timers.tick(5);
  refusals.refuse(0, 5);
  refusals.refuse(6, 7);
  assert.equal(pace.heldCount, 1);
});

test('no refusal waits for longer than two seconds, however late the intervals end', (t) => {
  let nowMs = 0;
  const pace = new RefusalPace({ heldMax: 20_000, now: () => nowMs });
  const refusals = new Refusals(t, pace, 1_515);
  refusals.refuse(0, 1_015);
  nowMs = 600;
  refusals.refuse(1_015, 1_515);
  assert.equal(pace.heldCount, 1_510);
  nowMs = 1_999;
  t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 1_505);
  nowMs = 2_000;
  t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 500, 'all go out that have waited for two seconds');
  nowMs = 2_600;
  t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 0);
});

test('the clock of a wait is that of the process', (t) => {
  let nowMs = 5_000;
  t.mock.method(performance, 'now', () => nowMs);
  const pace = new RefusalPace({ heldMax: 100 });
  const refusals = new Refusals(t, pace, 70);
  refusals.refuse(0, 70);
  assert.equal(pace.heldCount, 65);
  nowMs += 2_000;
  t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 0);
});

test('no refusal waits for more than four hundred intervals, however many do', (t) => {
  const pace = new RefusalPace(still);
  const refusals = new Refusals(t, pace, 10_006);
  refusals.refuse(0, 10_005);
  assert.equal(pace.heldCount, 10_000);
  t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 9_975);
  refusals.refuse(10_005, 10_006);
  assert.equal(pace.heldCount, 9_976, 'those that went out used up the interval');
  for (let intervals = 0; intervals < 400; intervals += 1) t.mock.timers.tick(5);
  assert.equal(pace.heldCount, 0);
  t.mock.timers.tick(5);
  refusals.refuse(0, 100);
  assert.equal(pace.heldCount, 95, 'fewer go out at once again when few wait');
});

test('only so many refusals wait; then the one that has waited longest goes out', (t) => {
  const pace = new RefusalPace({ ...still, heldMax: 10 });
  const refusals = new Refusals(t, pace, 45);
  refusals.refuse(0, 45);
  assert.equal(pace.heldCount, 10);
  assert.deepEqual(refusals.sent, range(0, 35));
});

test('after the end, no refusal waits', (t) => {
  const pace = new RefusalPace(still);
  const refusals = new Refusals(t, pace, 45);
  refusals.refuse(0, 30);
  assert.equal(pace.heldCount, 25);
  pace.end();
  assert.deepEqual(refusals.sent, range(0, 30));
  refusals.refuse(30, 45);
  assert.deepEqual(refusals.sent, range(0, 45));
});

test('no timer runs while no refusal waits', (t) => {
  const timers: (() => void)[] = [];
  t.mock.method(globalThis, 'setTimeout', (ring: () => void) => timers.push(ring));
  const pace = new RefusalPace(still);
  const socket = new Socket();
  for (let count = 0; count < 6; count += 1) pace.send(socket, () => {});
  assert.equal(pace.heldCount, 1);
  let rung = 0;
  for (; timers.length > 0 && rung < 10; rung += 1) timers.shift()?.();
  assert.equal(rung, 2, 'the interval that releases the refusal, and the one after it');
});

test('a refusal that waits is sent before a stop closes the connection', async (t) => {
  const pace = new RefusalPace(still);
  const app = Fastify();
  const drain = createDrain(app, () => pace.end());
  app.get('/', async (request, reply) => {
    await new Promise<void>((resolve) => pace.send(request.raw.socket, resolve));
    drain.announce(reply);
    return reply.code(503).send('refused');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let answers = 0;
  client.on('data', (text: string) => {
    answers += text.split('HTTP/1.1 503').length - 1;
  });
  for (let count = 1; count <= 6; count += 1) {
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    while (count < 6 && answers < count) await once(client, 'data');
  }
  while (pace.heldCount === 0) await nextIteration();
  t.mock.timers.reset();
  const closed = drain.closeConnections({ idleMs: 0, timeoutMs: 60_000 });
  await once(client, 'close');
  assert.equal(answers, 6);
  await closed;
});
