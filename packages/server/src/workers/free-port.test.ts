import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from './free-port.ts';

test('finds a port on which a server can listen', async () => {
  const port = await freePort('127.0.0.1');
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test('chooses ports between 20000 and 32767, below the systems’ ephemeral ranges', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort('127.0.0.1')));
  assert.deepEqual(
    ports.filter((port) => port < 20_000 || port > 32_767),
    [],
  );
});

test('finds no port for an address on which nobody can listen', async () => {
  assert.equal(await freePort('192.0.2.1'), 0);
});
