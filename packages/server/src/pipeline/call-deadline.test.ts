import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import { limits } from '@fieldroster/contract/limits';
import { deadlineOf } from './call-deadline.ts';

/** Returns how many seconds a call of the operation has with a body of this size. */
function secondsOf(key: keyof typeof operations, bodyBytes: number): number {
  const { remainingMs } = deadlineOf(operations[key] as Operation, bodyBytes, 'app');
  return Math.round(remainingMs / 1_000);
}

test('a single operation has ten seconds, however large its body', () => {
  assert.equal(secondsOf('queryUser', 0), 10);
  assert.equal(secondsOf('updateUser', limits.bodyBytesMax), 10);
});

test('the deadline of a bulk operation, or of a batch for one user, grows with its body', () => {
  assert.equal(secondsOf('batchUsers', limits.bulkBodyBytesMax), 10 + 32 * 8);
  assert.equal(secondsOf('upsertStores', limits.bulkBodyBytesMax), 10 + 32 * 8);
  assert.equal(secondsOf('batchUpdateUserStores', limits.batchBodyBytesMax), 10 + 8 * 8);
});

test('a small batch does not count as bulk, so it shares its commit with other writes', () => {
  const operation = operations.batchUpdateUserStores;
  assert.equal(deadlineOf(operation, 1_000, 'app').bulk, false);
  assert.equal(secondsOf('batchUpdateUserStores', 1_000), 10);
  assert.equal(deadlineOf(operation, 16 * 1024, 'app').bulk, true);
});

test('a removal, which may unbind thousands of users, has two minutes and shares no commit with other writes', () => {
  for (const key of ['deleteRole', 'deleteOrg', 'deleteStore'] as const) {
    assert.equal(secondsOf(key, 0), 120);
    assert.equal(deadlineOf(operations[key], 0, 'app').bulk, true);
  }
});

test('a call waits in the name of its application, and a bulk body costs a round for every 4 KiB', () => {
  const single = deadlineOf(operations.queryUser as Operation, 0, 'app');
  assert.deepEqual([single.owner, single.cost], ['app', 1]);
  const bulk = deadlineOf(operations.batchUsers, 40_961, 'app');
  assert.deepEqual([bulk.owner, bulk.cost], ['app', 11]);
});
