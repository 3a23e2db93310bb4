import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { startTestServer } from '../../test/test-server.ts';
import { RunningCalls } from './running-calls.ts';

test('a write whose client has gone is finished before the database is closed', async () => {
  const server = await startTestServer();
  const rejections: unknown[] = [];
  process.on('unhandledRejection', (reason) => rejections.push(reason));
  const body = JSON.stringify({ username: 'gone', password: 'p' });
  const { headers } = server.sign('POST', '/user', body);
  const socket = connect(server.port, '127.0.0.1');
  const head = Object.entries({ ...headers, Host: 'x', 'Content-Length': Buffer.byteLength(body) });
  socket.write(
    `POST /user HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
  );
  // Until the request is read and its password is being hashed.
  await delay(10);
  socket.destroy();
  await server.close();
  await delay(50);
  assert.deepEqual(rejections, []);
});

test('the end is told once the last call under way has ended, and not before', async () => {
  const running = new RunningCalls();
  await running.ended();
  running.begin();
  running.begin();
  const order: string[] = [];
  const ended = running.ended().then(() => order.push('told'));
  for (const call of ['first call', 'second call']) {
    await nextTurn();
    order.push(call);
    running.end();
  }
  await ended;
  assert.deepEqual(order, ['first call', 'second call', 'told']);
});

test('a call that never ends is not waited for without end', async () => {
  const running = new RunningCalls(1);
  running.begin();
  await running.ended();
});
