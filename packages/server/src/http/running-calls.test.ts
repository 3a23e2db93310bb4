import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import type { Database } from '../database/database.ts';
import { RunningCalls } from './running-calls.ts';

test('a write whose client has gone is finished before the database is closed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = await startTestServer({
    folder,
    wrapDatabase: (database) => holdWrites(database, begun.resolve, mayGoOn.promise),
  });
  const socket = sendWithoutWaiting(server, JSON.stringify({ username: 'gone', password: 'p' }));
  await begun.promise;
  socket.destroy();
  const { port } = server;
  const closed = server.close();
  await refusal(port);
  mayGoOn.resolve();
  await closed;
  const reopened = await startTestServer({ folder });
  await reopened.succeed('GET', '/user?username=gone');
  await reopened.close();
});

/** Holds each write back, once the server has decided on it. */
function holdWrites(database: Database, begin: () => void, mayGoOn: Promise<void>): Database {
  const write: Database['write'] = async (...parameters) => {
    begin();
    await mayGoOn;
    return database.write(...parameters);
  };
  return new Proxy(database, {
    get(real, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}

function sendWithoutWaiting(server: TestServer, body: string): Socket {
  const { headers } = server.sign('POST', '/user', body);
  const fields = Object.entries({ ...headers, Host: 'x', 'Content-Length': Buffer.byteLength(body) });
  const head = fields.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`POST /user HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  return socket;
}

/** Resolves once nothing listens on the port any more. */
async function refusal(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const accepted = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  if (accepted !== undefined) await refusal(port);
}

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
