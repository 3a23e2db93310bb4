import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import { consoleOperations, directoryOperationKeys } from '@fieldroster/contract/console';
import { limits } from '@fieldroster/contract/limits';
import { deadlineOf, runWithTimeFor } from '../../../server/src/pipeline/call-deadline.ts';
import { currentDeadline, runUnderDeadline } from '../../../server/src/time/deadline.ts';
import { callTable } from '../../call-table.ts';
import { answerWaitMs } from './answer-wait.ts';

/** How many rows the operations may change whose request does not name them all. */
const rowsChanged: ReadonlyMap<string, number> = new Map([
  ['deleteRole', limits.forcedUnbindsMax],
  ['deleteOrg', limits.forcedUnbindsMax],
  ['deleteStore', limits.forcedUnbindsMax],
  ['deleteUser', limits.storeCodesMax],
  ['batchUsers', limits.batchStoresTakenMax],
]);

async function serverMsOf(operation: Operation, bodyBytes: number, rows: number): Promise<number> {
  const deadline = deadlineOf(operation, bodyBytes, 'console');
  const inWrite = () => runWithTimeFor(rows, async () => currentDeadline());
  return (await runUnderDeadline(deadline, inWrite))?.remainingMs ?? 0;
}

test('the page waits longer for an answer than the server works on it, whatever is removed', async () => {
  for (const key of directoryOperationKeys) {
    const { method, path } = callTable[key] ?? {};
    assert(method !== undefined && path !== undefined);
    const rows = rowsChanged.get(key) ?? 0;
    for (const bodyBytes of [0, limits.bulkBodyBytesMax]) {
      const allowedMs = answerWaitMs({ method, url: path, body: ' '.repeat(bodyBytes) });
      const serverMs = await serverMsOf(operations[key], bodyBytes, rows);
      assert(serverMs > 0, `${key} has a deadline`);
      assert(allowedMs > serverMs, key);
    }
  }
});

test('the page waits as long for a move of stores as for a removal, and for a change of many users as for a batch', () => {
  const { changeUsers, moveStores } = consoleOperations;
  const waitOf = (method: string, url: string) => answerWaitMs({ method, url });
  assert.equal(waitOf(moveStores.method, moveStores.path), waitOf('DELETE', '/user'));
  assert.equal(waitOf(changeUsers.method, changeUsers.path), waitOf('POST', '/users/batch'));
});
