import assert from 'node:assert/strict';
import { after, afterEach, mock, test } from 'node:test';
import { applications, startTestServer } from '../../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());
afterEach(() => mock.restoreAll());

const body = '{"username": ';

/** A body this large makes a call a bulk call, which is patient. */
const bulkBytes = 16 * 1024;

test('a write of an application with too many waiting writes is refused before its body is parsed', async () => {
  assert.equal((await server.call('POST', '/user', body)).envelope.code, 1002);
  const asked = mock.method(server.database, 'refusesWritesOf', () => true);
  const { envelope, status, headers } = await server.call('POST', '/user', body);
  assert.deepEqual([envelope.code, status, headers['retry-after']], [1503, 503, '1']);
  assert.deepEqual(asked.mock.calls[0]?.arguments, [applications.main.appId]);
});

test('reads and bulk writes are not refused because too many writes of the application wait', async () => {
  mock.method(server.database, 'refusesWritesOf', () => true);
  assert.equal((await server.call('GET', '/user?user_id=4711')).envelope.code, 1101);
  assert.equal((await server.call('POST', '/users/batch', body.padEnd(bulkBytes))).envelope.code, 1002);
});
