import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { overriding } from '../../test/overriding.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import type { Database } from '../database/database.ts';
import { RunningCalls } from './running-calls.ts';

test('a write whose client has disconnected is finished before the server stops', async (t) => {
  const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = await startTestServer({
    wrapDatabase: (database) => holdWrites(database, begun.resolve, mayGoOn.promise),
  });
  t.after(() => server.close());
  const socket = sendWithoutWaiting(server, JSON.stringify({ username: 'gone', password: 'p' }));
  await begun.promise;
  socket.destroy();
  let hasStopped = false;
  const { listener } = server.app;
  const listenerClosed = Promise.withResolvers<void>();
  const { mock } = t.mock.method(listener, 'close', async () => {
    mock.restore();
    await listener.close();
    listenerClosed.resolve();
  });
  const stopped = server.app.stop().then(() => {
    hasStopped = true;
  });
  await listenerClosed.promise;
  // A stop that did not wait for the write would end within a few iterations of the event loop.
  for (let iterations = 0; iterations < 100; iterations += 1) await nextIteration();
  assert.equal(hasStopped, false);
  mayGoOn.resolve();
  await stopped;
  const { count } = await server.db
    .selectFrom('user')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), 1);
});

/** Delays each write after the server has decided on it. */
function holdWrites(database: Database, begin: () => void, mayGoOn: Promise<void>): Database {
  const write: Database['write'] = async (...parameters) => {
    begin();
    await mayGoOn;
    return database.write(...parameters);
  };
  return overriding(database, { write });
}

function sendWithoutWaiting(server: TestServer, body: string): Socket {
  const { headers } = server.sign('POST', '/user', body);
  const fields = Object.entries({ ...headers, Host: 'x', 'Content-Length': Buffer.byteLength(body) });
  const head = fields.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`POST /user HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  return socket;
}

test('the end is reported once the last running call has ended, and not before', async () => {
  const running = new RunningCalls();
  await running.ended();
  running.begin();
  running.end();
  running.begin();
  running.begin();
  const order: string[] = [];
  const ended = running.ended().then(() => order.push('told'));
  for (const call of ['first call', 'second call']) {
    await nextIteration();
    order.push(call);
    running.end();
  }
  await ended;
  assert.deepEqual(order, ['first call', 'second call', 'told']);
});

test('a call that never ends is not waited for forever', async () => {
  const running = new RunningCalls(1);
  running.begin();
  await running.ended();
});
