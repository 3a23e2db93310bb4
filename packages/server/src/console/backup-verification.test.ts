import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { processPlace } from '../applications/process-place.ts';
import type { KeyHolder, OperatorEvent } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { BackupVerification, toVerificationState, verificationOperation } from './backup-verification.ts';
import type { ConsoleContext } from './console-context.ts';
import { queryDeployment, verifyBackup } from './handlers/deployment.ts';

const goodBackup = { atMs: 1, file: 'good.backup', bytes: 1 };

let server: TestServer;

before(async () => {
  server = await startTestServer();
  await server.database.backups.recordGood(goodBackup);
});

after(() => server.close());

/** Returns the tools of a call on a node of its own, whose verification ends when the test says so. */
function onNode(verify: (file: string, signal: AbortSignal) => Promise<void>, processId = 'a node') {
  const { operators } = server.database;
  const logger = { info: () => {}, warn: () => {} };
  const verification = new BackupVerification({ processId, operators, verify, logger });
  const event = (changes: OperatorEvent['changes']) => ({ operation: verificationOperation, changes });
  const parts = {
    database: server.database,
    deployment: { verification, settings: { backupEveryMs: 0 } },
    now: () => server.nowMs,
  };
  const refuse: ConsoleContext['refuse'] = (code, message) => new ApiError(code, message);
  return { verification, context: { parts, claim: undefined, event, refuse } as never };
}

test('of two calls at the same moment, on two nodes, one begins a verification and one is refused', async () => {
  const end = Promise.withResolvers<void>();
  let begun = 0;
  const verify = () => {
    begun += 1;
    return end.promise;
  };
  const nodes = [onNode(verify), onNode(verify)];
  const answers = await Promise.allSettled(nodes.map(({ context }) => verifyBackup({}, context)));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  assert.deepEqual(
    refused.map(({ code, message }) => [code, message]),
    [[1617, 'good.backup is being verified already']],
  );
  assert.equal(begun, 1);
  end.resolve();
  await Promise.all(nodes.map(({ verification }) => verification.ended()));
  const next = onNode(verify);
  await verifyBackup({}, next.context);
  await next.verification.ended();
  assert.equal(begun, 2);
});

test('a backup whose folder is on another machine is refused, with the command to run there', async (t) => {
  await server.database.backups.recordGood({ ...goodBackup, atMs: 2, file: '/not-on-this-machine/a.backup' });
  t.after(() => server.database.backups.recordGood({ ...goodBackup, atMs: 3 }));
  let begun = 0;
  const { context } = onNode(async () => {
    begun += 1;
  });
  await assert.rejects(async () => verifyBackup({}, context), {
    code: 1617,
    message:
      'this server cannot reach the folder /not-on-this-machine of the backups; run fieldroster backup verify /not-on-this-machine/a.backup where it is',
  });
  assert.equal(begun, 0);
});

test('a stop aborts a verification that is under way, and records that', async () => {
  const { verification, context } = onNode(async (_, signal) => {
    await once(signal, 'abort');
    throw signal.reason;
  });
  await verifyBackup({}, context);
  await verification.stop();
  const event = await server.database.operators.lastEvent(verificationOperation);
  assert(event !== undefined);
  const { state, problem } = toVerificationState(event, {
    nowMs: server.nowMs,
    processes: await server.database.keys.holders(),
  });
  assert.deepEqual([state, problem], ['failed', 'the server was stopped before it ended; verify it again']);
});

test('a verification whose process was killed has failed, and the next one may begin', async () => {
  const { database } = server;
  const { pid: killed } = spawnSync(process.execPath, ['--version']);
  const place = processPlace();
  const report = (processId: string, pid: number) =>
    database.keys.report({ processId, host: 'here', pid, place, keyIds: [] });
  await report('killed', killed);
  await report('running', process.pid);
  const begin = (processId: string) => {
    const changes = onNode(async () => {}, processId).verification.toBeginning(goodBackup);
    const event = { operation: verificationOperation, changes };
    return database.operators.write(undefined, async () => ({ result: undefined, event }));
  };
  const { verification, context } = onNode(async () => {});
  await begin('running');
  await assert.rejects(async () => verifyBackup({}, context), { code: 1617 });
  await begin('killed');
  const { verification: shown } = await queryDeployment({}, context);
  assert.deepEqual(
    [shown?.state, shown?.problem],
    ['failed', 'its process ended before the verification did'],
  );
  await verifyBackup({}, context);
  await verification.ended();
});

/** Returns the state of a verification that the process `verifying` began some time ago, beside these reports. */
function stateAfter(ageMs: number, holders: readonly KeyHolder[]) {
  const [atMs, nowMs] = [1_700_000_000_000, 1_700_000_000_000 + ageMs];
  const { verification } = onNode(async () => {}, 'verifying');
  const event = { operation: verificationOperation, changes: verification.toBeginning(goodBackup), atMs };
  return toVerificationState(event as never, { nowMs, processes: { holders, nowMs } }).state;
}

/** Returns a report of this process's pid and place, which another process had before it in a container. */
function reported(processId: string, seenAtMs: number): KeyHolder {
  return { processId, host: 'here', pid: process.pid, place: processPlace(), keyIds: [], seenAtMs };
}

test('a verification has failed although another process has the pid and the place of the killed one', () => {
  const [beganAtMs, ageMs] = [1_700_000_000_000, 200_000];
  const restarted = reported('restarted', beganAtMs + ageMs);
  assert.equal(stateAfter(ageMs, [reported('verifying', beganAtMs), restarted]), 'failed');
  assert.equal(stateAfter(ageMs, [reported('verifying', beganAtMs + ageMs), restarted]), 'running');
});

test('a verification whose process has no report has failed, unless it began so recently that a report is due', () => {
  const others = [reported('another', 1_700_000_000_000)];
  assert.equal(stateAfter(100_000, others), 'running');
  assert.equal(stateAfter(200_000, others), 'failed');
  assert.equal(stateAfter(-200_000, others), 'failed', 'dated by a clock that was set back since');
});
