import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { limits } from '@fieldroster/contract/limits';
import { startTestServer } from '../../../test/test-server.ts';
import { ConnectionLimit, openConnectionsOf } from './connection-limit.ts';

const connectionsMax = 16;
const server = await startTestServer({ settings: { connectionsMax } });
after(() => server.close());

async function open(port = server.port): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const begun = 'GET /healthz HTTP/1.1\r\nHost: x\r\n';

/** Sends a request on the connection. Returns `''` when the server closed it without an answer. */
async function ask(socket: Socket): Promise<string> {
  socket.write(begun);
  return finish(socket);
}

/** Sends the rest of a request that has begun. */
async function finish(socket: Socket): Promise<string> {
  socket.write('Connection: close\r\n\r\n');
  return text(socket).catch(() => '');
}

/** Sends a request, leaves the connection open, and returns the last line of the answer. */
async function askOpenly(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = await once(socket, 'data');
  return String(answer).split('\r\n\r\n')[1]?.trim() ?? '';
}

/**
 * Opens connections up to the limit, once the server has noticed the end of all earlier ones. Each begins a request,
 * because an idle one would give way.
 */
async function fill(): Promise<Socket[]> {
  await untilOpen(0);
  const opened = await Promise.all(Array.from({ length: connectionsMax }, () => open()));
  for (const socket of opened) socket.write(begun);
  return opened;
}

async function untilOpen(count: number): Promise<void> {
  const { server: listener } = server.app.listener;
  while ((await promisify(listener.getConnections.bind(listener))()) !== count) await setImmediate();
}

test('a connection above the limit is closed without an answer, and the others go on', async () => {
  const kept = await fill();
  assert.equal(await ask(await open()), '');
  assert.match(await finish(kept.pop() as Socket), /^HTTP\/1.1 200 /);
  await untilOpen(connectionsMax - 1);
  assert.match(await ask(await open()), /^HTTP\/1.1 200 /);
  for (const socket of kept) socket.destroy();
});

test('idle connections up to the limit keep nobody out for long, and the log says that they were closed', async () => {
  await untilOpen(0);
  const idle = await Promise.all(Array.from({ length: connectionsMax }, () => open()));
  while ((await ask(await open())) === '') await setImmediate();
  for (const socket of idle) socket.destroy();
  const lines = server.logLines.filter((line) => line.includes('idle connections closed so far'));
  assert.match(lines[0] ?? '', /"address":"127.0.0.1".*1 idle connections closed so far .*: 16 are open/);
  const source = server.app
    .metricSources()
    .find(({ name }) => name === 'fieldroster_connections_idle_closed_total');
  assert.ok(Number(await source?.read()) > 0);
});

test('the log reports refused connections once, with the limit and an address, however many there were', async () => {
  const kept = await fill();
  for (let count = 0; count < 5; count += 1) assert.equal(await ask(await open()), '');
  for (const socket of kept) socket.destroy();
  const lines = server.logLines.filter((line) => line.includes('connections refused so far'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /connections refused so far: 16 are open, the limit of --connections-max/);
  const { level, address } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([level, address], [40, '127.0.0.1']);
});

test('a metric counts the refused connections', async () => {
  const source = server.app
    .metricSources()
    .find(({ name }) => name === 'fieldroster_connections_refused_total');
  const before = Number(await source?.read());
  const kept = await fill();
  for (let count = 0; count < 3; count += 1) assert.equal(await ask(await open()), '');
  for (const socket of kept) socket.destroy();
  assert.equal(Number(await source?.read()) - before, 3);
});

const mebibyte = 1024 * 1024;

const groupOf = (mebibytes: number) => ({
  constrainedBytes: mebibytes * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  heapBytesMax: (mebibytes / 2) * mebibyte,
});

const settings = {
  ...{ connectionsMax: 16_384, workers: 1, console: true, consoleListen: '' },
  ...{ bodyBytesMax: limits.bodyBytesMax, batchBodyBytesMax: limits.batchBodyBytesMax },
};

test('where memory is short, no more connections may be open than fit into their share of it, idle', () => {
  const reason = 'as many as the memory of this process allows';
  const ofOperations = (mebibytes: number, workers = 1) =>
    openConnectionsOf({ ...settings, workers }, groupOf(mebibytes), 'operations');
  assert.deepEqual(ofOperations(512), { max: 1024, reason });
  assert.deepEqual(ofOperations(1024), { max: 6217, reason });
  assert.deepEqual(ofOperations(2048, 2), { max: 5596, reason });
});

test('a console with a port of its own has an eighth of the share, and the operations have the rest', () => {
  const own = { ...settings, consoleListen: '127.0.0.1:8081' };
  assert.equal(openConnectionsOf(own, groupOf(512), 'console').max, 128);
  assert.equal(openConnectionsOf(own, groupOf(512), 'operations').max, 896);
  assert.equal(openConnectionsOf({ ...own, console: false }, groupOf(512), 'operations').max, 1024);
});

test('where they take less than that, the setting is the limit', () => {
  const reason = 'the limit of --connections-max';
  assert.deepEqual(openConnectionsOf(settings, groupOf(2048), 'operations'), { max: 16_384, reason });
  const few = { ...settings, connectionsMax: 100 };
  assert.deepEqual(openConnectionsOf(few, groupOf(512), 'operations'), { max: 100, reason });
});

test('the log says when the memory is the limit', async () => {
  const messages: string[] = [];
  const allowed = openConnectionsOf({ ...settings, workers: 64 }, groupOf(1), 'operations');
  assert.equal(allowed.max, 0);
  const full = createServer();
  new ConnectionLimit((_fields, message) => messages.push(message)).applyTo(full, allowed);
  await once(full.listen(0, '127.0.0.1'), 'listening');
  try {
    assert.equal(await ask(await open((full.address() as AddressInfo).port)), '');
    assert.deepEqual(messages, [
      '1 connections refused so far: 0 are open, as many as the memory of this process allows',
    ]);
  } finally {
    full.close();
  }
});

test('workers that all have as many connections as they may close a further one, and do not pass it on', {
  timeout: 240_000,
}, async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../../../test/limited-worker.ts') });
  const workers = [cluster.fork(), cluster.fork()];
  try {
    const [listening = []] = await Promise.all(workers.map((worker) => once(worker, 'listening')));
    const { port } = listening[0] as AddressInfo;
    const kept = [await open(port), await open(port)];
    const pids = await Promise.all(kept.map(askOpenly));
    assert.deepEqual(new Set(pids), new Set(workers.map((worker) => String(worker.process.pid))));
    assert.equal(await ask(await open(port)), '');
    for (const socket of kept) socket.destroy();
  } finally {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }
});
