import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { nextSlice } from './time-slice.ts';

test('each turn of the event loop resumes one of several jobs, in the order in which they began to wait', async () => {
  const resumed: string[] = [];
  const work = async (name: string) => {
    for (const slice of [1, 2]) {
      await nextSlice();
      resumed.push(`${name}${slice}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  const counts: number[] = [];
  while (resumed.length < 6) {
    await nextIteration();
    counts.push(resumed.length);
  }
  await all;
  assert.deepEqual(resumed, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6]);
});
