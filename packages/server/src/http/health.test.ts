import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../testing/test-server.ts';

const server = await startTestServer({ settings: { basePath: '/api' } });
after(() => server.close());

test('healthz and readyz answer without a signature, outside of the base path', async () => {
  for (const target of ['/healthz', '/readyz']) {
    const answer = await server.send({ method: 'GET', target });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.envelope, { code: 0, message: '' });
    assert(answer.headers['x-request-id'] !== undefined);
  }
});

test('readyz is 1503 with 503 and Retry-After once the database does not answer; healthz goes on', async () => {
  await server.db.schema.dropTable('counter').execute();
  const ready = await server.send({ method: 'GET', target: '/readyz' });
  assert.equal(ready.status, 503);
  assert.equal(ready.envelope.code, 1503);
  assert.equal(ready.headers['retry-after'], '1');
  assert(!ready.envelope.message.includes('counter'), 'the cause is for the log');
  assert(server.logLines.some((line) => server.faults.missingTable('counter').test(JSON.parse(line).cause)));
  const healthy = await server.send({ method: 'GET', target: '/healthz' });
  assert.equal(healthy.status, 200);
});

test('while credentials cannot be looked up, those known before stay in use, and a warning is logged', async () => {
  await assert.rejects(server.app.applications.refresh());
  assert.equal((await server.call('GET', '/user?username=nobody')).envelope.code, 1101);
});
