import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import Fastify from 'fastify';
import type { CallRecorder } from '../../call-records/call-recorder.ts';
import { Logger } from '../../logging/logger.ts';
import { acceptedBytes } from '../answers/accepted-bytes.ts';
import { sendAnswer } from '../answers/send-answer.ts';
import { RequestLog } from '../log/request-log.ts';
import { RunningCalls } from '../running-calls.ts';
import { limitUnanswered } from './limit-unanswered.ts';
import { UnreadAnswers } from './unread-answers.ts';
import { WaitingResponses } from './waiting-responses.ts';

const mebibyte = 1024 * 1024;

/** More than the systems of both sides take for a client that does not read. */
const largeAnswer = Buffer.alloc(24 * mebibyte, 'x');

/** As many bytes, in a third as many characters. */
const chineseAnswer = '汉'.repeat(8 * mebibyte);

/** More than all unread answers may take. */
const hugeAnswer = Buffer.alloc(72 * mebibyte, 'x');

const waiting = new WaitingResponses(8_192);
const closed: Socket[] = [];
const unread = new UnreadAnswers({
  onClosed: (socket) => closed.push(socket),
  bytesMax: 60 * mebibyte,
  readBytesMax: 240 * mebibyte,
});

/** Both ends of a connection. */
interface Connection {
  readonly client: Socket;
  readonly socket: Socket;
}

let server: Server;

before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/large') response.end(largeAnswer);
    else if (request.url === '/medium') response.end(largeAnswer.subarray(0, 16 * mebibyte));
    else if (request.url === '/huge') response.end(hugeAnswer);
    else if (request.url === '/chinese')
      response.setHeader('Content-Length', 24 * mebibyte).end(chineseAnswer);
    else if (request.url === '/small') response.end('x');
  });
  unread.follow(server, waiting);
  limitUnanswered(server, {
    waiting,
    holderOf: () => ({ name: '', partMax: 1 }),
    refuseRest: () => assert.fail('no request is one too many'),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

after(() => server.closeAllConnections());
after(() => server.close());

/** Ends connections, and forgets which of them were closed. */
async function end(...connections: readonly Connection[]): Promise<void> {
  const ends = connections.map(async ({ client, socket }) => {
    client.destroy();
    if (socket.closed) return;
    socket.destroy();
    await once(socket, 'close');
  });
  await Promise.all(ends);
  closed.length = 0;
}

/** Sends the requests at once. Resolves with both ends of the connection when all have arrived. */
async function ask(...paths: readonly string[]): Promise<Connection> {
  const arrived = Promise.withResolvers<Socket>();
  let count = 0;
  const note = ({ socket }: { readonly socket: Socket }) => {
    count += 1;
    if (count === paths.length) arrived.resolve(socket);
  };
  server.on('request', note);
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => {});
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  const socket = await arrived.promise;
  server.off('request', note);
  return { client, socket };
}

test('unread answers may take the memory that they are given', async () => {
  const connections = [await ask('/large'), await ask('/large')];
  for (let checks = 0; checks < 3; checks += 1) unread.check();
  assert.equal(closed.length, 0);
  await end(...connections);
});

test('beyond that, the connection with most of it is closed, and no other', async () => {
  const one = await ask('/large');
  const two = await ask('/large', '/small', '/large');
  const other = await ask('/unanswered', '/large', '/large', '/large', '/large');
  unread.check();
  assert.equal(closed.length, 0, 'a client has the time between two checks to read');
  unread.check();
  assert.deepEqual(closed, [two.socket]);
  assert.equal(two.socket.destroyed, true);
  unread.check();
  unread.check();
  assert.deepEqual(
    closed.splice(0),
    [two.socket],
    'the rest fits, and an answer that is still made is not unread',
  );
  await end(one, two, other);
});

test('as many connections are closed as it takes', async () => {
  const connections = [
    await ask('/large'),
    await ask('/large', '/large'),
    await ask('/large', '/large', '/large'),
    await ask('/large', '/large', '/large', '/large'),
  ];
  unread.check();
  unread.check();
  const destroyed = connections.map(({ socket }) => socket.destroyed);
  assert.deepEqual(destroyed, [false, true, true, true]);
  await end(...connections);
});

test('requests that wait behind an unread answer count, however small their answers are', async () => {
  const strict = new UnreadAnswers({
    onClosed() {},
    bytesMax: largeAnswer.length + 100 * 1024,
    readBytesMax: largeAnswer.length + 100 * 1024,
  });
  strict.follow(server, waiting);
  const alone = await ask('/large');
  strict.check();
  strict.check();
  assert.equal(alone.socket.destroyed, false);
  await end(alone);
  const behind = await ask('/large', ...Array.from({ length: 40 }, () => '/small'));
  strict.check();
  strict.check();
  assert.equal(behind.socket.destroyed, true);
  await end(behind);
});

test('a client that reads slowly keeps its connection; one that has stopped loses it, though it takes less', async () => {
  const stopped = await ask('/medium');
  const slow = await ask('/large');
  for (let checks = 0; checks < 60; checks += 1) {
    if (checks % 30 === 0) await readSome(slow);
    unread.check();
  }
  const late = await ask('/large');
  const destroyed = () => [stopped, slow, late].map(({ socket }) => socket.destroyed);
  for (let checks = 0; checks < 2; checks += 1) unread.check();
  assert.deepEqual(destroyed(), [true, false, false], 'the slow one has read within ten seconds');
  for (let checks = 0; checks < 40; checks += 1) unread.check();
  const last = await ask('/medium');
  for (let checks = 0; checks < 2; checks += 1) unread.check();
  assert.deepEqual([...destroyed(), last.socket.destroyed], [true, true, false, false], 'now it has not');
  await end(stopped, slow, late, last);
});

test('a client that reads on keeps its connection, however large its answer is, until it stops', async () => {
  const huge = await ask('/huge');
  const stopped = await ask('/medium');
  for (let checks = 0; checks < 5; checks += 1) {
    unread.check();
    await readSome(huge);
  }
  unread.check();
  assert.deepEqual([huge.socket.destroyed, stopped.socket.destroyed], [false, true]);
  for (let checks = 0; checks < 3; checks += 1) unread.check();
  assert.equal(huge.socket.destroyed, false, 'it has read within the last second');
  unread.check();
  assert.equal(huge.socket.destroyed, true);
  await end(huge, stopped);
});

test('answers that their clients read on may take more memory together, and no more than they are given', async () => {
  const connections = [await ask('/huge'), await ask('/huge'), await ask('/huge'), await ask('/huge')];
  const stopped = await ask('/medium');
  unread.check();
  for (const connection of connections) await readSome(connection);
  unread.check();
  assert.equal(closed.length, 2, 'of four times 72 MiB, 240 MiB may stay');
  assert.equal(closed[0], stopped.socket, 'one that is not read goes first');
  for (const connection of connections) if (!connection.socket.destroyed) await readSome(connection);
  unread.check();
  assert.equal(closed.length, 2);
  await end(...connections, stopped);
});

test('without a setting, unread answers may take 64 MiB', async () => {
  const readBytesMax = 1024 * 1024 * 1024;
  const byDefault = new UnreadAnswers({ onClosed: (socket) => closed.push(socket), readBytesMax });
  byDefault.follow(server, waiting);
  const connections = [await ask('/large'), await ask('/large')];
  for (let checks = 0; checks < 3; checks += 1) byDefault.check();
  assert.equal(closed.length, 0);
  connections.push(await ask('/large'));
  for (let checks = 0; checks < 3; checks += 1) byDefault.check();
  assert.equal(closed.length, 1);
  await end(...connections);
});

test('a text that waits counts with the bytes that it is sent as, not with its characters', async () => {
  const connections = [await ask('/chinese'), await ask('/small', '/chinese', '/chinese')];
  for (let checks = 0; checks < 2; checks += 1) unread.check();
  assert.deepEqual(closed, [connections[1]?.socket], 'of three times 24 MiB, 60 MiB may stay');
  await end(...connections);
});

/** Reads until the system has taken more of the answer. */
async function readSome({ client, socket }: Connection): Promise<void> {
  const before = acceptedBytes(socket);
  while (acceptedBytes(socket) === before && !socket.destroyed) {
    client.read();
    await nextIteration();
  }
}

test('an answer that is sent in pieces counts as a whole, because its pieces stay in memory', async (t) => {
  const app = Fastify();
  const log = new RequestLog(new Logger('silent', () => {}), {} as CallRecorder);
  const parts = { running: new RunningCalls(), log };
  app.get('/pieces', async (_request, reply) =>
    sendAnswer(Array(384).fill(largeAnswer.subarray(0, 65536)), reply, parts),
  );
  unread.follow(app.server, new WaitingResponses(8_192));
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const clients = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').pause());
  for (const client of clients) {
    client.write('GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'readable');
  }
  while (closed.length < 2) {
    unread.check();
    await nextIteration();
  }
  for (let checks = 0; checks < 3; checks += 1) unread.check();
  assert.equal(closed.length, 2, 'of four times 24 MiB, 60 MiB may stay');
  closed.length = 0;
});
