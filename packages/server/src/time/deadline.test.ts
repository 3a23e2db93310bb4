import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedWaitMs, currentDeadline, Deadline, runUnderDeadline } from './deadline.ts';

test('a deadline runs down to zero and stays there', () => {
  let nowMs = 100;
  const deadline = new Deadline(1_000, { now: () => nowMs });
  assert.equal(deadline.remainingMs, 1_000);
  nowMs = 700;
  assert.equal(deadline.remainingMs, 400);
  nowMs = 5_000;
  assert.equal(deadline.remainingMs, 0);
});

test('time spent without waiting for the database is not counted, even when such work overlaps', async () => {
  let nowMs = 0;
  const deadline = new Deadline(1_000, { now: () => nowMs });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const firstEnd = deadline.pauseDuring(() => first.promise);
  nowMs = 500;
  const secondEnd = deadline.pauseDuring(() => second.promise);
  nowMs = 2_000;
  first.resolve();
  await firstEnd;
  assert.equal(deadline.remainingMs, 1_000);
  nowMs = 3_000;
  second.reject(new Error('failed'));
  await assert.rejects(secondEnd, /failed/);
  assert.equal(deadline.remainingMs, 1_000);
  nowMs = 3_400;
  assert.equal(deadline.remainingMs, 600);
});

test('a wait is bounded only by the deadline of its own call', async () => {
  const within = (totalMs: number) =>
    runUnderDeadline(new Deadline(totalMs, { now: () => 0 }), async () => {
      await new Promise(setImmediate);
      return boundedWaitMs(3_000);
    });
  assert.deepEqual(await Promise.all([within(200), within(10_000)]), [200, 3_000]);
  assert.equal(currentDeadline(), undefined);
  assert.equal(boundedWaitMs(3_000), 3_000);
});
