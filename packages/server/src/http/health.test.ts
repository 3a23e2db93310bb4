import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer({ settings: { basePath: '/api' } });
after(() => server.close());

test('healthz and readyz answer without a signature, outside the base path', async () => {
  for (const target of ['/healthz', '/readyz']) {
    const answer = await server.send({ method: 'GET', target });
    assert.equal(answer.status, 200);
    const { code, message } = answer.envelope;
    assert.deepEqual({ code, message }, { code: 0, message: '' });
    assert(answer.headers['x-request-id'] !== undefined);
  }
});

test('readyz lists each check with the age of its result', async () => {
  const { text } = await server.send({ method: 'GET', target: '/readyz' });
  const { checks } = JSON.parse(text);
  const [{ age_ms, ...database }] = checks.filter(({ name }: { name: string }) => name === 'database');
  assert.deepEqual(database, { name: 'database', scope: 'node', ok: true });
  assert(Number.isSafeInteger(age_ms) && age_ms >= 0);
});

test('readyz is 1503 with 503 and Retry-After once the database does not answer; healthz goes on', async () => {
  await server.db.schema.dropTable('counter').execute();
  await server.app.readiness.probe();
  await server.app.readiness.probe();
  const ready = await server.send({ method: 'GET', target: '/readyz' });
  assert.equal(ready.status, 503);
  assert.equal(ready.envelope.code, 1503);
  assert.equal(ready.headers['retry-after'], '1');
  assert.equal(
    ready.envelope.message,
    'this node is not ready (database: it does not answer; see the log of this node)',
  );
  assert.match(
    ready.text,
    /"checks":\[\{"name":"database","scope":"node","ok":false,"problem":"it does not answer/,
  );
  assert(!ready.text.includes('counter'), 'the cause is for the log');
  const told = server.logLines.map((line) => JSON.parse(line)).filter(({ check }) => check === 'database');
  assert.equal(told.length, 1, 'a problem is logged once, however often it is found');
  assert.match(told[0].cause, server.faults.missingTable('counter'));
  const healthy = await server.send({ method: 'GET', target: '/healthz' });
  assert.equal(healthy.status, 200);
});

test('while credentials cannot be looked up, known ones stay in use, and a warning is logged', async () => {
  await assert.rejects(server.app.applications.refresh());
  assert.equal((await server.call('GET', '/user?username=nobody')).envelope.code, 1101);
});
