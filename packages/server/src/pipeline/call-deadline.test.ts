import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import { limits } from '@fieldroster/contract/limits';
import { currentDeadline, Deadline, runUnderDeadline } from '../time/deadline.ts';
import { deadlineOf, runWithTimeFor } from './call-deadline.ts';

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

/** Returns the deadline of a write that changes this many rows. */
function deadlineOfRows(rows: number): Promise<Deadline | undefined> {
  const call = new Deadline(10_000, { owner: 'app', now: () => 0 });
  return runUnderDeadline(call, () => runWithTimeFor(rows, async () => currentDeadline()));
}

test('a write of many rows has 2 ms more for each, and shares no commit with other writes', async () => {
  const deadline = await deadlineOfRows(50_000);
  assert.equal(deadline?.remainingMs, 110_000);
  assert.deepEqual([deadline.bulk, deadline.owner, deadline.cost], [true, 'app', 1_000]);
});

test('a write of many rows is not patient, because its small request is quickly sent again', async () => {
  assert.equal((await deadlineOfRows(50_000))?.patient, false);
  assert.equal(deadlineOf(operations.batchUsers, limits.bulkBodyBytesMax, 'app').patient, true);
});

test('a write of up to 200 rows has the time of its call, and shares its commit', async () => {
  for (const rows of [0, 200]) {
    const deadline = await deadlineOfRows(rows);
    assert.deepEqual([deadline?.remainingMs, deadline?.bulk, deadline?.cost], [10_000, false, 1]);
  }
  assert.equal((await deadlineOfRows(201))?.bulk, true);
});

test('a write of many rows costs its application as much as its body does, and the rows on top', async () => {
  const call = deadlineOf(operations.batchUsers, 40_961, 'app');
  const deadline = await runUnderDeadline(call, () => runWithTimeFor(500, async () => currentDeadline()));
  assert.deepEqual([call.cost, deadline?.cost, deadline?.patient], [11, 21, true]);
});

test('work without a deadline stays without one', async () => {
  assert.equal(await runWithTimeFor(50_000, async () => currentDeadline()), undefined);
});

test('a call waits in the name of its application, and a bulk body costs a round for every 4 KiB', () => {
  const single = deadlineOf(operations.queryUser as Operation, 0, 'app');
  assert.deepEqual([single.owner, single.cost], ['app', 1]);
  const bulk = deadlineOf(operations.batchUsers, 40_961, 'app');
  assert.deepEqual([bulk.owner, bulk.cost], ['app', 11]);
});

test('a write that finds more than twice the rows that were counted is run again with time for them', async () => {
  const call = new Deadline(10_000, { owner: 'app', now: () => 0 });
  const attempts: (readonly [remainingMs: number | undefined, bulk: boolean | undefined])[] = [];
  const found = [201, 402, 403, 806];
  const rows = await runUnderDeadline(call, () =>
    runWithTimeFor(0, async (requireTimeFor) => {
      attempts.push([currentDeadline()?.remainingMs, currentDeadline()?.bulk]);
      const rows = found.shift() ?? 0;
      requireTimeFor(rows);
      return rows;
    }),
  );
  assert.deepEqual([rows, found], [402, [403, 806]]);
  assert.deepEqual(attempts, [
    [10_000, false],
    [10_402, true],
  ]);
});

test('a write that fails is not run again', async () => {
  let attempts = 0;
  const failing = runWithTimeFor(0, async () => {
    attempts += 1;
    throw new RangeError('refused');
  });
  await assert.rejects(failing, RangeError);
  assert.equal(attempts, 1);
});
