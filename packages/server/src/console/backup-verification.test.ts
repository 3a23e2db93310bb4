import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import type { OperatorEvent } from '../database/database.ts';
import { BackupVerification, toVerificationState, verificationOperation } from './backup-verification.ts';
import { refuse } from './console-context.ts';
import { verifyBackup } from './handlers/deployment.ts';

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
  const parts = { database: server.database, deployment: { verification }, now: () => server.nowMs };
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
  const { state, problem } = toVerificationState(event, server.nowMs);
  assert.deepEqual([state, problem], ['failed', 'the server was stopped before it ended; verify it again']);
});
