import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import Fastify from 'fastify';
import type { CallRecorder } from '../../call-records/call-recorder.ts';
import { Logger } from '../../logging/logger.ts';
import { RequestLog } from '../log/request-log.ts';
import { RunningCalls } from '../running-calls.ts';
import { heldBytes } from './held-bytes.ts';
import { sendAnswer } from './send-answer.ts';

const piece = Buffer.alloc(64 * 1024, 'x');

/** More pieces than the systems of both sides take for a client that does not read. */
const pieceCount = 1_000;

const heldByAnswer = 4711;
const lines: string[] = [];
const running = new RunningCalls();
const app = Fastify();
let read = 0;
let held: number | undefined;
let readingEnded = Promise.withResolvers<void>();

async function* pieces(): AsyncGenerator<Buffer> {
  try {
    for (read = 0; read < pieceCount; read += 1) {
      await nextIteration();
      yield piece;
    }
  } finally {
    readingEnded.resolve();
  }
}

before(async () => {
  const log = new RequestLog(new Logger('info', (line) => lines.push(line)), {} as CallRecorder);
  app.get('/', async (_request, reply) => {
    const body = sendAnswer({ pieces: pieces(), heldBytes: heldByAnswer }, reply, { running, log });
    held = heldBytes(reply.raw);
    return body;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});

after(() => app.close());

function ask() {
  readingEnded = Promise.withResolvers<void>();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

test('once the client of an answer that is sent while it is read disconnects, nothing more is read for it', async () => {
  const socket = ask();
  await once(socket, 'readable');
  socket.destroy();
  await readingEnded.promise;
  assert.ok(read < pieceCount, `${read} pieces were read`);
  assert.equal(held, heldByAnswer);
  await running.ended();
  assert.deepEqual(lines, [], 'it is no failure of the server');
});

test('a stop waits for an answer that is sent while it is read', async () => {
  const socket = ask();
  await once(socket, 'readable');
  let hasEnded = false;
  const ended = running.ended().then(() => {
    hasEnded = true;
  });
  for (let iterations = 0; iterations < 100; iterations += 1) await nextIteration();
  assert.equal(hasEnded, false);
  socket.resume();
  await ended;
  assert.equal(read, pieceCount);
  socket.destroy();
});
