import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallSummaries } from './call-summaries.ts';

test('a minute has a bounded number of rows, and no call is lost from the counts', () => {
  const summaries = new CallSummaries();
  for (let index = 0; index < 7_000; index += 1) {
    summaries.count({ operation: 'query-user', appId: `app-${index}`, code: 0, durationMs: 1 }, 0);
  }
  const rows = summaries.take();
  assert.equal(rows.length, 5_001);
  assert.equal(
    rows.reduce((sum, { calls }) => sum + calls, 0),
    7_000,
  );
  assert.equal(rows.find(({ appId }) => appId === '*')?.calls, 2_000);
  assert.deepEqual(summaries.take(), []);
});

test('a call is counted in the step of its duration', () => {
  const summaries = new CallSummaries();
  for (const durationMs of [0.2, 1, 1.1, 25, 99, 250, 900, 5_000, 5_001]) {
    summaries.count({ operation: 'query-user', appId: 'a', code: 0, durationMs }, 0);
  }
  const [row] = summaries.take();
  assert.deepEqual(row?.histogram, [2, 1, 1, 1, 1, 1, 1, 1]);
  assert.equal(row.totalUs, 11_277_300);
});
