import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { sendRequest, type WireAnswer } from '../../test/send-request.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { Readiness, ReadinessState } from '../readiness/readiness.ts';
import { createDrain } from './drain.ts';
import { addHealthRoutes } from './health.ts';

const server = await startTestServer({ settings: { basePath: '/api' } });
after(() => server.close());
const agent = new Agent();
after(() => agent.destroy());

function send(method: string, target: string): Promise<WireAnswer> {
  return sendRequest(server.port, agent, { method, target });
}

test('healthz and readyz answer without a signature, outside the base path', async () => {
  for (const target of ['/healthz', '/readyz']) {
    const answer = await server.send({ method: 'GET', target });
    assert.equal(answer.status, 200);
    const { code, message } = answer.envelope;
    assert.deepEqual({ code, message }, { code: 0, message: '' });
    assert(answer.headers['x-request-id'] !== undefined);
  }
});

test('healthz and readyz answer HEAD, which some monitors send, with the headers of GET', async () => {
  for (const target of ['/healthz', '/readyz']) {
    const [get, head] = [await send('GET', target), await send('HEAD', target)];
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers['content-type'], get.headers['content-type']);
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
  const warnings = () =>
    server.logLines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'applications could not be refreshed');
  // The server looks for changes of its own accord.
  while (warnings().length === 0) await delay(1);
  const [{ level, cause }] = warnings();
  assert.equal(level, 40);
  assert.match(cause, server.faults.missingTable('counter'));
});

test('a node that is not ready names each failed check of its own, and lists shared ones too', async () => {
  const app = Fastify();
  const state: ReadinessState = {
    ready: false,
    checks: [
      { name: 'database', scope: 'node', problem: 'it does not answer', ageMs: 12.4 },
      { name: 'keys', scope: 'node', problem: 'they are outdated', ageMs: 0 },
      { name: 'backup', scope: 'shared', problem: 'it failed', ageMs: 1.6 },
    ],
  };
  const readiness = { state: () => state } as Partial<Readiness> as Readiness;
  addHealthRoutes(app, readiness, createDrain(app));
  const { code, message, checks } = (await app.inject('/readyz')).json();
  await app.close();
  assert.deepEqual(
    [code, message],
    [1503, 'this node is not ready (database: it does not answer; keys: they are outdated)'],
  );
  assert.deepEqual(checks[2], {
    name: 'backup',
    scope: 'shared',
    ok: false,
    problem: 'it failed',
    age_ms: 2,
  });
});

test('a draining node is not ready, and lists the states of its checks', async () => {
  const app = Fastify();
  const drain = createDrain(app);
  const checks = [{ name: 'database', scope: 'node', problem: undefined, ageMs: 1 }] as const;
  const readiness = { state: () => ({ ready: true, checks }) } as Partial<Readiness> as Readiness;
  addHealthRoutes(app, readiness, drain);
  drain.beginDraining();
  const answer = await app.inject('/readyz');
  await app.close();
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '1']);
  assert.deepEqual(answer.json(), {
    code: 1503,
    message: 'draining: this node is about to stop; ask another one',
    checks: [{ name: 'database', scope: 'node', ok: true, age_ms: 1 }],
  });
});
