import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { startTestServer } from '../../../test/test-server.ts';
import type { Holder } from '../../fairness/memory-pool.ts';
import { limitUnanswered, queuedMax } from './limit-unanswered.ts';
import { WaitingResponses } from './waiting-responses.ts';

/** Enough for the requests of other tests. */
const allQueuedMax = 8_192;

/** Everybody together, without a limit on each client. */
const allPlaces = () => ({ name: '', partMax: 1 });

const server = await startTestServer();
after(() => server.close());

function open(): Socket {
  const client = connect(server.port, '127.0.0.1');
  client.on('error', () => {});
  return client;
}

/** Returns a signed write, as bytes. */
function write(username: string): string {
  const body = JSON.stringify({ username });
  const { headers } = server.sign('POST', '/user/stores', body);
  const fields = Object.entries({ ...headers, Host: 'x', 'Content-Length': body.length });
  return `POST /user/stores HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Reads answers until one has the text. */
async function readUntil(client: Socket, end: string): Promise<string> {
  let read = '';
  while (!read.includes(end)) read += String((await once(client, 'data'))[0]);
  return read;
}

function statusesOf(answers: string): string[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
}

const readsOf = (count: number, last = '/last') =>
  [...Array.from({ length: count - 1 }, () => '/x'), last]
    .map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
    .join('');

test('as many requests as may wait are answered, and as many again', async () => {
  const client = open();
  for (const last of ['/first-time', '/second-time']) {
    client.write(readsOf(queuedMax + 1, last));
    assert.equal(statusesOf(await readUntil(client, last)).length, queuedMax + 1);
  }
  client.destroy();
});

test('a client may keep the maximum number of requests waiting, and send one for each answer', async (t) => {
  const waiting: ServerResponse[] = [];
  const refused: unknown[] = [];
  const held = createServer((_request, response) => waiting.push(response));
  limitUnanswered(held, {
    waiting: new WaitingResponses(allQueuedMax),
    holderOf: allPlaces,
    refuseRest: (request) => refused.push(request),
  });
  held.listen(0, '127.0.0.1');
  await once(held, 'listening');
  t.after(() => held.close());
  const client = connect((held.address() as AddressInfo).port, '127.0.0.1');
  client.write(readsOf(queuedMax + 1));
  for (let answered = 0; answered < 3; answered++) {
    while (waiting.length <= queuedMax && refused.length === 0) await nextIteration();
    waiting.shift()?.end();
    await once(client, 'data');
    client.write(readsOf(1));
  }
  while (waiting.length <= queuedMax && refused.length === 0) await nextIteration();
  assert.deepEqual(refused, []);
  client.destroy();
});

test('one more is refused with 1429 after the answers to those before it, and the connection is closed', async () => {
  const client = open();
  client.write(readsOf(queuedMax + 2));
  const answers = await text(client);
  const expected = [...Array.from({ length: queuedMax + 1 }, () => '404'), '429'];
  assert.deepEqual(statusesOf(answers), expected);
  const last = answers.slice(answers.lastIndexOf('HTTP/1.1 '));
  assert.match(last, /^Retry-After: 1\r$/m);
  assert.match(last, /^Connection: close\r$/m);
  assert.match(last, /^X-Request-Id: /m);
  const { code, message } = JSON.parse(last.split('\r\n\r\n')[1] ?? '');
  assert.equal(code, 1429);
  assert.match(
    message,
    /, or too many on all connections, or too many of this client: neither this request nor /,
  );
});

test('the log warns once of refused connections, with an address, however many there were', async () => {
  for (let count = 0; count < 3; count += 1) {
    const client = open();
    client.write(readsOf(queuedMax + 2));
    await text(client);
  }
  const lines = server.logLines.filter((line) => line.includes('with code 1429'));
  assert.equal(lines.length, 1);
  const { level, address, msg } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([level, address], [40, '127.0.0.1']);
  assert.match(msg, /^1 connections closed so far .*more than 50 requests waited/);
});

test('writes beyond the limit do nothing, and the one before them keeps its answer', async () => {
  const client = open();
  const names = Array.from({ length: queuedMax + 3 }, (_, index) => `queued-${index}`);
  await server.whileLocked(async () => {
    client.write(names.map(write).join(''));
    // The refusal of the first one too many waits for the answers to the others.
    assert.equal((await server.call('GET', '/user?username=queued-0')).envelope.code, 1101);
  });
  const answers = await text(client);
  assert.equal(answers.split('"code":0,').length - 1, queuedMax + 1);
  assert.equal(answers.split('"code":1429,').length - 1, 1);
  const codes = await Promise.all(
    names.map(async (name) => (await server.call('GET', `/user?username=${name}`)).envelope.code),
  );
  assert.deepEqual(codes, [...names.slice(2).map(() => 0), 1101, 1101]);
});

/** A server that answers nothing, with a limit on the requests that clients send ahead. */
async function holdAhead(t: TestContext, holderOf: (request: IncomingMessage) => Holder) {
  const responses: ServerResponse[] = [];
  const refused: IncomingMessage[] = [];
  const held = createServer((_request, response) => responses.push(response));
  const refuseRest = (request: IncomingMessage) => refused.push(request);
  limitUnanswered(held, { waiting: new WaitingResponses(allQueuedMax), holderOf, refuseRest });
  held.listen(0, '127.0.0.1');
  await once(held, 'listening');
  t.after(() => {
    held.closeAllConnections();
    held.close();
  });
  const { port } = held.address() as AddressInfo;
  return {
    responses,
    refused,
    /** Sends requests on a connection of its own. */
    async send(count: number, target = '/x') {
      const expected = responses.length + refused.length + count;
      const client = connect(port, '127.0.0.1').on('error', () => {});
      client.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count));
      while (responses.length + refused.length < expected) await nextIteration();
    },
  };
}

test('requests that were sent ahead on all connections are limited together, and others are not', async (t) => {
  const { responses, refused, send } = await holdAhead(t, allPlaces);
  const whole = Math.floor(allQueuedMax / queuedMax);
  for (let count = 0; count < whole; count += 1) await send(1 + queuedMax);
  await send(1 + allQueuedMax - whole * queuedMax);
  assert.equal(refused.length, 0);
  await send(2);
  assert.equal(refused.length, 1);
  await send(1);
  assert.equal(refused.length, 1, 'the first request of a connection does not wait behind another');
  const socket = responses[0]?.req.socket;
  socket?.destroy();
  while (socket?.closed === false) await nextIteration();
  await send(2);
  assert.equal(refused.length, 1, 'those of a connection that has ended make room');
});

test('a client whose requests fill its part of the places leaves the others to the rest', async (t) => {
  const { refused, send } = await holdAhead(t, ({ url = '' }) => ({ name: url, partMax: 1 / 2 }));
  const whole = Math.floor(allQueuedMax / 2 / queuedMax);
  for (let count = 0; count < whole; count += 1) await send(1 + queuedMax, '/flood');
  await send(1 + allQueuedMax / 2 - whole * queuedMax, '/flood');
  assert.equal(refused.length, 0);
  await send(2, '/flood');
  assert.equal(refused.length, 1);
  await send(1 + queuedMax, '/other');
  assert.equal(refused.length, 1);
});

test('a connection is closed where this release of Node.js cannot leave the rest unread', async (t) => {
  const unanswering = createServer(({ socket }) => Reflect.set(socket, 'parser', undefined));
  const refused: unknown[] = [];
  limitUnanswered(unanswering, {
    waiting: new WaitingResponses(allQueuedMax),
    holderOf: allPlaces,
    refuseRest: (request) => refused.push(request),
  });
  unanswering.listen(0, '127.0.0.1');
  await once(unanswering, 'listening');
  t.after(() => unanswering.close());
  const client = connect((unanswering.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.write(readsOf(queuedMax + 2));
  await closed;
  assert.deepEqual(refused, []);
});
