import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { connectionsOf, socketsWithinHeaders } from '../parsing/connections-of.ts';
import { UnfinishedHeaders } from './unfinished-headers.ts';

const kibibyte = 1024;
const begun = 'GET / HTTP/1.1\r\nX: ';

let server: Server;
let unfinished: UnfinishedHeaders;
const closed: Socket[] = [];

before(async () => {
  server = createServer((request, response) => {
    if (request.url !== '/unanswered') response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

beforeEach(() => {
  server.closeAllConnections();
  closed.length = 0;
  unfinished = new UnfinishedHeaders(server, {
    onClosed: (socket) => closed.push(socket),
    bytesMax: 10 * kibibyte,
  });
});

after(() => server.closeAllConnections());
after(() => server.close());

/** Sends bytes on a connection of its own. Resolves with the server's end of it, once it has read all. */
async function send(bytes: string): Promise<Socket> {
  const accepted = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const [socket] = await accepted;
  client.resume().write(bytes);
  await allRead(socket, Buffer.byteLength(bytes));
  return socket;
}

async function allRead(socket: Socket, bytes: number): Promise<void> {
  while (socket.bytesRead < bytes) await nextIteration();
}

test('unfinished headers may take the memory that they are given', async () => {
  await send(begun.padEnd(5 * kibibyte, 'x'));
  await send(begun.padEnd(5 * kibibyte, 'x'));
  for (let checks = 0; checks < 3; checks += 1) unfinished.check();
  assert.equal(closed.length, 0);
});

test('beyond that, the connections are closed whose requests began first, and no others', async () => {
  const first = await send(begun.padEnd(4 * kibibyte, 'x'));
  const second = await send(begun.padEnd(4 * kibibyte, 'x'));
  await send(begun.padEnd(4 * kibibyte, 'x'));
  unfinished.check();
  assert.deepEqual(closed, [first]);
  await send(begun.padEnd(6 * kibibyte, 'x'));
  unfinished.check();
  assert.deepEqual(closed, [first, second]);
  assert.ok(closed.every((socket) => socket.destroyed));
});

test('headers after a complete request, in the same packet or later, count too', async () => {
  const sockets = [
    await send(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${begun.padEnd(6 * kibibyte, 'x')}`),
    await send(`GET /unanswered HTTP/1.1\r\nHost: x\r\n\r\n${begun.padEnd(6 * kibibyte, 'x')}`),
  ];
  assert.deepEqual(new Set(socketsWithinHeaders(server)), new Set(sockets));
  unfinished.check();
  assert.equal(closed.length, 1);
});

test('trailers after a body count too', async () => {
  const chunks = 'HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n';
  const trailer = 'X: '.padEnd(6 * kibibyte, 'x');
  const sockets = [
    await send(`POST / ${chunks}${trailer}`),
    await send(`POST /unanswered ${chunks}${trailer}`),
  ];
  assert.deepEqual(new Set(socketsWithinHeaders(server)), new Set(sockets));
  unfinished.check();
  assert.deepEqual(closed, sockets.slice(0, 1));
});

test('connections that are idle, wait for an answer or send a body do not count', async () => {
  const large = `X: ${'x'.repeat(8 * kibibyte)}\r\n\r\n`;
  for (const head of [
    `GET / HTTP/1.1\r\nHost: x\r\n${large}`,
    `GET /unanswered HTTP/1.1\r\nHost: x\r\n${large}`,
    `POST /unanswered HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n${large}${'x'.repeat(9_000)}`,
    '',
  ])
    await send(head);
  assert.deepEqual(socketsWithinHeaders(server), []);
  unfinished.check();
  assert.equal(closed.length, 0);
});

test('connections are looked at only when so many have sent so much that their headers could take too much', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const connections = connectionsOf(server);
  assert.ok(connections);
  const { mock } = t.mock.method(connections, 'active');
  const looksWithin = (ms: number) => {
    mock.resetCalls();
    t.mock.timers.tick(ms);
    return mock.callCount();
  };
  const onClosed = (socket: Socket) => closed.push(socket);
  new UnfinishedHeaders(server, { onClosed, bytesMax: 32 * kibibyte }).begin();

  const first = await send(begun);
  const second = await send(begun);
  assert.equal(looksWithin(1_000), 0, 'two connections cannot take too much');
  const third = await send(begun);
  assert.equal(looksWithin(1_000), 1, 'three can, but send no more');
  await send(begun);
  await send(begun);
  assert.equal(looksWithin(1_000), 1, 'five packets can take too much');

  for (const socket of [first, second, third]) {
    socket.destroy();
    await once(socket, 'close');
  }
  assert.equal(looksWithin(1_000), 0, 'two are left');
  for (let count = 0; count < 2; count += 1) await send(begun.padEnd(16 * kibibyte, 'x'));
  assert.equal(looksWithin(1_000), 1);
  assert.equal(closed.length, 2);
});

test('one connection that ends does not stop the looking, while the others could take too much', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const connections = connectionsOf(server);
  assert.ok(connections);
  const onClosed = (socket: Socket) => closed.push(socket);
  new UnfinishedHeaders(server, { onClosed, bytesMax: 32 * kibibyte }).begin();
  const [first, second] = [await send(begun), await send(begun)];
  for (let count = 0; count < 2; count += 1) await send(begun);
  first.destroy();
  await once(first, 'close');
  const { mock } = t.mock.method(connections, 'active');
  t.mock.timers.tick(1_000);
  mock.resetCalls();
  const events = () => performance.nodeTiming.uvMetricsInfo.events;
  const before = events();
  while (events() < before + 3) {
    second.write('x');
    await nextIteration();
  }
  t.mock.timers.tick(1_000);
  assert.equal(mock.callCount(), 1);
});

test('where unfinished headers may take 16 MiB, fewer than 1,025 connections are not looked at', (t) => {
  const { mock } = t.mock.method(globalThis, 'setInterval');
  const listener = createServer().removeAllListeners('connection');
  new UnfinishedHeaders(listener, {
    onClosed: (socket) => closed.push(socket),
    bytesMax: 16 * 1024 * kibibyte,
  }).begin();
  const sockets = Array.from({ length: 1025 }, () => new Socket());
  for (const socket of sockets.slice(1)) listener.emit('connection', socket);
  assert.equal(mock.callCount(), 0);
  listener.emit('connection', sockets[0]);
  assert.equal(mock.callCount(), 1);
  for (const socket of sockets) socket.emit('close');
});
