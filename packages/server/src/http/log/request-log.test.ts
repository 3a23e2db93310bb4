import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { type Answer, applications, startTestServer } from '../../../test/test-server.ts';
import { ApiError } from '../../errors/api-error.ts';
import { Logger } from '../../logging/logger.ts';
import { RequestLog } from './request-log.ts';

const server = await startTestServer({ lockWaitMs: 20 });
after(() => server.close());

/** Returns the log lines of a request. */
function linesOf({ requestId }: Answer): Record<string, unknown>[] {
  return server.logLines.map((line) => JSON.parse(line)).filter((line) => line.request_id === requestId);
}

const info = 30;
const warn = 40;
const error = 50;

function assertOneLine(answer: Answer, expected: Record<string, unknown>): Record<string, unknown> {
  const lines = linesOf(answer);
  assert.equal(lines.length, 1, 'one line for one request');
  const { time, duration_ms, ...line } = lines[0] ?? {};
  assert.equal(typeof time, 'number');
  assert(typeof duration_ms === 'number' && duration_ms >= 0);
  const named = Object.fromEntries(Object.keys(expected).map((name) => [name, line[name]]));
  assert.deepEqual(named, expected);
  return line;
}

test('a success is one line: request id, operation, application, code, duration', async () => {
  const answer = await server.succeed('POST', '/user/stores', { username: 'logged' });
  const line = assertOneLine(answer, {
    level: info,
    operation: 'batch-update-user-stores',
    app_id: 'app-main',
    code: 0,
    msg: 'request',
  });
  const names = ['address', 'app_id', 'code', 'level', 'msg', 'operation', 'request_id'];
  assert.deepEqual(Object.keys(line).sort(), names);
});

test('the line for a refused body names the operation, and the application if its headers were read', async () => {
  const large = await server.call('POST', '/user', 'x'.repeat(1024 * 1024 + 1));
  assertOneLine(large, { operation: 'create-user', app_id: 'app-main', code: 1004 });
});

test('a success has the fields of a refusal except the reason', async () => {
  const [success = ''] = linesOf(await server.succeed('GET', '/user?username=logged')).map(Object.keys);
  const [refusal = ''] = linesOf(await server.call('GET', '/user?user_id=4711')).map(Object.keys);
  assert.deepEqual([...success, 'reason'].sort(), [...refusal].sort());
  assert.deepEqual(success.slice(0, 2), refusal.slice(0, 2));
});

test('a refusal is one line with its reason', async () => {
  const answer = await server.call('GET', '/user?user_id=4711');
  assertOneLine(answer, {
    level: info,
    operation: 'query-user',
    app_id: 'app-main',
    code: 1101,
    reason: 'no user has id 4711',
  });
});

test('an application is named as soon as the request names it, and is null before', async () => {
  const forger = { appId: applications.main.appId, appSecret: 'wrong' };
  const forged = await server.call('GET', '/user', undefined, { as: forger });
  assertOneLine(forged, { app_id: 'app-main', code: 1014, reason: 'the signature does not match' });
  const bare = await server.send({ method: 'GET', target: '/user' });
  assertOneLine(bare, { app_id: null, code: 1011 });
});

test('a call outside the scope is one line that names the application and the scope', async () => {
  const answer = await server.call('DELETE', '/user?user_id=4711', undefined, { as: applications.reader });
  const line = assertOneLine(answer, { operation: 'delete-user', app_id: 'app-reader', code: 1016 });
  assert.match(String(line.reason), /write/);
});

test('a request that never reached an operation is one line too', async () => {
  const unknown = await server.send({ method: 'GET', target: '/people' });
  assertOneLine(unknown, { level: info, operation: null, app_id: null, code: 1005 });
  const large = await server.call('POST', '/people', 'x'.repeat(1024 * 1024 + 1));
  assertOneLine(large, { operation: null, code: 1004 });
});

test('overload is a warning and an internal error is an error, each with its cause', async () => {
  const busy = await server.whileLocked(() => server.call('POST', '/user/stores', { username: 'x' }));
  const warning = assertOneLine(busy, { level: warn, code: 1503, operation: 'batch-update-user-stores' });
  assert.match(String(warning.cause), server.faults.locked);
  await server.breakDatabase();
  const broken = await server.call('GET', '/user?user_id=1');
  const failure = assertOneLine(broken, { level: error, code: 1500, operation: 'query-user' });
  assert.match(String(failure.cause), server.faults.missingTable('user'));
  assert.match(String(failure.cause), /\n\s+at /, 'with the place in the code');
});

test('health checks are not logged', async () => {
  const count = server.logLines.length;
  await server.send({ method: 'GET', target: '/healthz' });
  assert.equal(server.logLines.length, count);
});

test('a success leaves no line if the level is above it', async () => {
  const quiet = await startTestServer({ settings: { logLevel: 'warn' } });
  try {
    await quiet.createUser('quiet');
    assert.deepEqual(quiet.logLines, []);
  } finally {
    await quiet.close();
  }
});

test('a refusal without a cause of its own is logged with its message, not with the word undefined', () => {
  const lines: object[] = [];
  const logger = new Logger('info', (line) => lines.push(JSON.parse(line)));
  const log = new RequestLog(logger, server.app.recorder);
  const raw = { headers: {} };
  const request = { id: 'id', receivedAtMs: performance.now(), raw } as FastifyRequest;
  for (const code of [1503, 1500] as const) log.refusal(request, new ApiError(code, 'too much at once'));
  for (const line of lines) assert.match((line as { cause: string }).cause, /too much at once/);
  assert.equal(lines.length, 2);
});
