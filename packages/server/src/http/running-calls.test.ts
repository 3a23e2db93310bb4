import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestServer } from '../testing/test-server.ts';

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
