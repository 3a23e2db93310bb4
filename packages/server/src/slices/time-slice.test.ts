import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { nextSlice, sliceMs, TimeSlice } from './time-slice.ts';

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

test('all work that takes turns shares one slice of an iteration, and work within a transaction has its own', async (t) => {
  // The slice of the test before may not have ended.
  await nextIteration();
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const steps: string[] = [];
  const work = async (name: string, timeSlice: TimeSlice) => {
    for (let step = 0; step < sliceMs; step += 1) {
      nowMs += 1;
      steps.push(name);
      if (timeSlice.isOver()) await timeSlice.next();
    }
  };
  const all = Promise.all([
    ...['a', 'b', 'c'].map((name) => work(name, new TimeSlice(nextSlice))),
    work('t', new TimeSlice()),
  ]);
  const iterations: string[] = [steps.join('')];
  while (steps.length < 4 * sliceMs) {
    const before = steps.length;
    await nextIteration();
    iterations.push(steps.slice(before).join(''));
  }
  await all;
  assert.deepEqual(iterations, ['aaaaabcttttt', '', 'bbbb', 'cccc']);
});
