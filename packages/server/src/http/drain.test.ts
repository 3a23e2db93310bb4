import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';

test('a draining server is not ready, but serves new connections until --drain is over', async () => {
  const server = await startTestServer({ settings: { drainSeconds: 1 } });
  const stopped = server.app.stop();
  const ready = await server.send({ method: 'GET', target: '/readyz', headers: { Connection: 'close' } });
  assert.deepEqual([ready.status, ready.envelope.code, ready.headers['retry-after']], [503, 1503, '1']);
  assert.match(ready.envelope.message, /^draining: /);
  const answer = await server.call('GET', '/user?username=nobody', undefined, {
    headers: { Connection: 'close' },
  });
  assert.equal(answer.envelope.code, 1101);
  await stopped;
  await assert.rejects(server.send({ method: 'GET', target: '/healthz' }), { code: 'ECONNREFUSED' });
  await server.close();
});

test('a server replaced by another process stays ready on its remaining connections', async () => {
  const server = await startTestServer({ settings: { drainSeconds: 1 } });
  assert.equal((await server.send({ method: 'GET', target: '/readyz' })).headers.connection, 'keep-alive');
  const stopped = server.app.stop({ replaced: true });
  const ready = await server.send({ method: 'GET', target: '/readyz' });
  assert.deepEqual([ready.status, ready.headers.connection], [200, 'close']);
  await stopped;
  await server.close();
});

test('a connection that never sends a request does not hold up a stop', { timeout: 20_000 }, async () => {
  const server = await startTestServer();
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await server.app.stop();
  await closed;
  await server.close();
});
