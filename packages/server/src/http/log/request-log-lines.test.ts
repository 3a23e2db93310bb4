import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { operations } from '@fieldroster/contract';
import { consoleOperations } from '@fieldroster/contract/console';
import type { FastifyRequest } from 'fastify';
import type { CallRecorder, FailedCallReport } from '../../call-records/call-recorder.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BusyError, TooManyWaitError } from '../../errors/busy-error.ts';
import { Logger } from '../../logging/logger.ts';
import type { Call } from '../../pipeline/call.ts';
import { refusalLinesMax } from './refusal-budget.ts';
import { RequestLog } from './request-log.ts';

const info = 30;
const warn = 40;
const error = 50;

const operation = operations.queryUser;
const call = { operation } as Partial<Call> as Call;
const raw = { headers: {}, method: 'GET', url: '/user?username=ada' };
const request = { id: 'r-1', receivedAtMs: 1_000, clientAddress: '2001:db8:1:2:3::4', raw } as FastifyRequest;
const durationMs = 250.123;

/** Makes a log whose lines and reports can be read, a quarter of a second after the request. */
function collect({ mock }: TestContext) {
  mock.method(performance, 'now', () => 1_250.1234);
  const lines: Record<string, unknown>[] = [];
  const successes: unknown[][] = [];
  const failures: FailedCallReport[] = [];
  const answers: unknown[][] = [];
  const recorder: Pick<CallRecorder, 'recordSuccess' | 'recordFailure'> = {
    recordSuccess: (...report) => void successes.push(report),
    recordFailure: (report) => void failures.push(report),
  };
  const observer = {
    noteAnswer: (...answer: unknown[]) => void answers.push(answer),
    noteRefusedUnseen: () => {},
  };
  const logger = new Logger('info', (line) => {
    const { time, ...rest } = JSON.parse(line);
    lines.push(rest);
  });
  const log = new RequestLog(logger, recorder as CallRecorder, observer);
  return { log, lines, successes, failures, answers };
}

const common = { request_id: 'r-1', address: '2001:db8:1:2:3::4', duration_ms: durationMs };

test('a success is logged, recorded and observed with its duration to a microsecond', (context) => {
  const { log, lines, successes, answers } = collect(context);
  log.success(call, 'app', request);
  assert.deepEqual(lines, [
    { level: info, operation: 'query-user', app_id: 'app', code: 0, msg: 'request', ...common },
  ]);
  assert.deepEqual(successes, [[operation, 'app', durationMs]]);
  assert.deepEqual(answers, [['query-user', 0, durationMs]]);
});

test('successes name their own operation and application, whichever came before', (context) => {
  const { log, lines } = collect(context);
  const other = { operation: operations.createUser } as Partial<Call> as Call;
  for (const [each, appId] of [
    [call, 'a'],
    [call, 'b'],
    [other, 'a'],
    [call, 'a'],
  ] as const)
    log.success(each, appId, request);
  assert.deepEqual(
    lines.map(({ operation: name, app_id }) => `${name} ${app_id}`),
    ['query-user a', 'query-user b', 'create-user a', 'query-user a'],
  );
});

test('a failure is recorded with the whole APPID and logged with at most 64 characters of it', (context) => {
  const { log, lines, failures, answers } = collect(context);
  const appId = 'a'.repeat(65);
  const describeMismatch = () => ({}) as never;
  const caller = { appId, application: 'named', usernameHash: 'h', describeMismatch } as const;
  log.failure(call, caller, request, new ApiError(1101, 'no user', { cause: new Error('secret') }));
  assert.deepEqual(lines, [
    {
      level: info,
      operation: 'query-user',
      app_id: 'a'.repeat(64),
      username_hash: 'h',
      code: 1101,
      reason: 'no user',
      msg: 'request',
      ...common,
    },
  ]);
  assert.deepEqual(failures, [
    {
      requestId: 'r-1',
      operation,
      appId,
      application: 'named',
      code: 1101,
      message: 'no user',
      cause: undefined,
      durationMs,
      address: '2001:db8:1:2:3::4',
      network: '2001:db8:1:2',
      method: 'GET',
      target: '/user?username=ada',
      describeMismatch,
    },
  ]);
  assert.deepEqual(answers, [['query-user', 1101, durationMs]]);
});

test('a request that reached no operation is recorded and observed without one', (context) => {
  const { log, lines, failures, answers } = collect(context);
  log.refusal({ ...request, clientAddress: undefined } as FastifyRequest, new ApiError(1005, 'no operation'));
  const [line] = lines;
  assert.deepEqual([line?.operation, line?.app_id, line?.address], [null, null, null]);
  assert.equal(line !== undefined && 'username_hash' in line, false);
  const [report] = failures;
  assert.deepEqual([report?.operation, report?.appId, report?.network], [undefined, undefined, undefined]);
  assert.deepEqual(answers, [[undefined, 1005, durationMs]]);
});

test('the cause of an error of the server is recorded', (context) => {
  const { log, failures } = collect(context);
  const cause = new Error('locked');
  for (const code of [1500, 1503] as const) {
    log.refusal(request, new ApiError(code, 'm', { cause }));
    log.refusal(request, new ApiError(code, 'm'));
  }
  assert.deepEqual(
    failures.map((each) => each.cause),
    ['Error: locked', undefined, 'Error: locked', undefined],
  );
});

test('an internal error is logged with its cause and the cause of that, whatever was thrown', (context) => {
  const { log, lines } = collect(context);
  const inner = new Error('the statement failed', { cause: new Error('the disk is full') });
  for (const cause of [inner, 'a text', new Error('alone')])
    log.failure(call, {}, request, new ApiError(1500, 'm', { cause }));
  assert.deepEqual(
    lines.map(({ level }) => level),
    [error, error, error],
  );
  const [nested = '', text, alone = ''] = lines.map(({ cause }) => String(cause));
  assert.match(nested, /^Error: the statement failed\n +at .*; caused by the disk is full$/s);
  assert.equal(text, 'a text');
  assert.match(alone, /^Error: alone\n +at /);
  assert.doesNotMatch(alone, /caused by/);
});

test('a refusal is a warning with the method and the path, and further ones are counted instead', (context) => {
  const { log, lines } = collect(context);
  for (let count = 0; count < refusalLinesMax + 3; count += 1)
    log.failure(call, { appId: 'app' }, request, new ApiError(1014, 'not shown'));
  assert.equal(lines.length, refusalLinesMax);
  assert.deepEqual(lines[0], {
    level: warn,
    operation: 'query-user',
    app_id: 'app',
    code: 1014,
    method: 'GET',
    path: '/user',
    reason: 'the signature does not match',
    msg: 'request',
    ...common,
  });
  log.end();
  assert.deepEqual(lines.slice(refusalLinesMax), [
    {
      level: warn,
      suppressed: { 1014: 3 },
      period_seconds: 10,
      msg: 'refused more requests than are logged one by one',
    },
  ]);
});

test('at most 200 lines in a period report overload, and they use up no lines of other refusals', (context) => {
  const { log, lines, failures } = collect(context);
  const overload = new TooManyWaitError('too many writes wait');
  for (let count = 0; count < refusalLinesMax + 3; count += 1)
    log.failure(call, { appId: 'app' }, request, new ApiError(1503, 'later', { cause: overload }));
  assert.equal(lines.length, refusalLinesMax);
  assert.equal(failures.length, refusalLinesMax + 3, 'each is counted');
  log.failure(call, { appId: 'app' }, request, new ApiError(1014, 'not shown'));
  assert.equal(lines.at(-1)?.code, 1014);
  const cause = new BusyError('the disk is full');
  log.failure(call, { appId: 'app' }, request, new ApiError(1503, 'later', { cause }));
  assert.match(String(lines.at(-1)?.cause), /the disk is full/);
  log.end();
  assert.deepEqual(lines.at(-1)?.suppressed, { 1503: 3 });
});

test('at most 200 lines in a period report other failures of strangers, who send as many requests as they like', (context) => {
  const { log, lines, failures } = collect(context);
  const failure = new ApiError(1005, 'there is no operation at "/x"');
  for (let count = 0; count < refusalLinesMax; count += 1) log.refusal(request, failure);
  assert.equal(lines.length, refusalLinesMax);
  const [operation] = Object.values(consoleOperations);
  assert(operation !== undefined);
  const visit = { kind: 'own', operation } as const;
  log.refusal(request, failure);
  log.failure(call, { appId: 'app', application: 'named' }, request, new ApiError(1001, 'no nonce'));
  log.console(visit, request, { code: 1011, operator: undefined, failure: new ApiError(1001, 'no JSON') });
  assert.equal(lines.length, refusalLinesMax);
  assert.equal(failures.length, refusalLinesMax + 2, 'the calls are counted');
  log.failure(call, { appId: 'app', application: 'verified' }, request, new ApiError(1101, 'no user'));
  log.console(visit, request, { code: 1001, operator: 'ada', failure: new ApiError(1001, 'no JSON') });
  log.refusal(request, new ApiError(1500, 'm'));
  log.failure(call, {}, request, new ApiError(1014, 'not shown'));
  assert.deepEqual(
    lines.slice(refusalLinesMax).map(({ code }) => code),
    [1101, 1001, 1500, 1014],
    'neither those of verified callers, nor internal errors, nor wrong signatures are suppressed',
  );
  log.end();
  assert.deepEqual(lines.at(-1)?.suppressed, { 1001: 2, 1005: 1 });
});

test('the noise of strangers suppresses no line about wrong passwords and codes at the console', (context) => {
  const { log, lines } = collect(context);
  const signIn = { kind: 'own', operation: consoleOperations.signIn } as const;
  for (let count = 0; count < refusalLinesMax; count += 1)
    log.unread({ requestId: 'r-2', address: undefined, code: 1001, reason: 'no HTTP' });
  for (const code of [1602, 1603, 1001] as const)
    log.console(signIn, request, { code, operator: undefined, failure: new ApiError(code, 'm') });
  assert.deepEqual(
    lines.slice(refusalLinesMax).map(({ code }) => code),
    [1602, 1603],
  );
  for (let count = 0; count < refusalLinesMax; count += 1)
    log.console(signIn, request, { code: 1602, operator: undefined, failure: new ApiError(1602, 'm') });
  assert.equal(lines.length, 2 * refusalLinesMax, 'they have a limit of their own');
});

test('a call of the console is a line that names the operator, whichever kind of operation it is', (context) => {
  const { log, lines, failures, answers } = collect(context);
  const [own] = Object.values(consoleOperations);
  assert(own !== undefined);
  log.console({ kind: 'own', operation: own }, request, { code: 0, operator: 'ada' });
  log.console({ kind: 'directory', key: 'queryUser' }, request, { code: 0, operator: undefined });
  const failure = new ApiError(1101, 'no user');
  log.console({ kind: 'directory', key: 'queryUser' }, request, { code: 1101, operator: 'ada', failure });
  const line = { level: info, console: true, msg: 'request', ...common };
  assert.deepEqual(lines, [
    { ...line, operation: own.name, operator: 'ada', code: 0 },
    { ...line, operation: 'query-user', operator: null, code: 0 },
    { ...line, operation: 'query-user', operator: 'ada', code: 1101, reason: 'no user' },
  ]);
  assert.deepEqual(failures, [], 'the records are those of applications');
  assert.deepEqual(answers, [['query-user', 1101, durationMs]]);
});
