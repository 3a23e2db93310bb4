import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { processPlace } from '../applications/process-place.ts';
import type { OperatorEvent } from '../database/database.ts';
import {
  BackupVerification,
  begunBy,
  toVerificationState,
  verificationOperation,
} from './backup-verification.ts';
import { refuse } from './console-context.ts';
import { queryDeployment, verifyBackup } from './handlers/deployment.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
  await server.database.backups.recordGood({ atMs: 1, file: 'good.backup', bytes: 1 });
});

after(() => server.close());

/** Returns the tools of a call on a node of its own, whose verification ends when the test says so. */
function onNode(verify: (file: string, signal: AbortSignal) => Promise<void>) {
  const { operators } = server.database;
  const logger = { info: () => {}, warn: () => {} };
  const verification = new BackupVerification({ operators, verify, logger });
  const event = (changes: OperatorEvent['changes']) => ({ operation: verificationOperation, changes });
  const parts = {
    database: server.database,
    deployment: { verification, settings: { backupEveryMs: 0 } },
    now: () => server.nowMs,
  };
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

test('once the process of a verification was killed, that has failed, and the next one may begin', async () => {
  const { database } = server;
  const { pid: killed } = spawnSync(process.execPath, ['--version']);
  const place = processPlace();
  for (const pid of [killed, process.pid])
    await database.keys.report({ processId: `process ${pid}`, host: 'here', pid, place, keyIds: [] });
  const begin = (pid: number) => {
    const changes = begunBy({ atMs: 1, file: 'good.backup', bytes: 1 }, pid);
    const event = { operation: verificationOperation, changes };
    return database.operators.write(undefined, async () => ({ result: undefined, event }));
  };
  const { verification, context } = onNode(async () => {});
  await begin(process.pid);
  await assert.rejects(async () => verifyBackup({}, context), { code: 1617 });
  await begin(killed);
  const { verification: shown } = await queryDeployment({}, context);
  assert.deepEqual(
    [shown?.state, shown?.problem],
    ['failed', 'its process ended before the verification did'],
  );
  await verifyBackup({}, context);
  await verification.ended();
});
