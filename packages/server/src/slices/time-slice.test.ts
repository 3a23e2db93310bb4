import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { nextSlice, sliceMs, TimeSlice } from './time-slice.ts';

/**
 * Lets each test begin with a slice of its own, by a clock that stands still. It begins at a whole number, so that ten
 * tenths of a slice add up to exactly one.
 */
async function stopClock(t: TestContext) {
  await nextIteration();
  const clock = { nowMs: Math.ceil(performance.now()) };
  t.mock.method(performance, 'now', () => clock.nowMs);
  return clock;
}

test('jobs that wait are resumed in order, as many in an iteration as one slice allows', async (t) => {
  const clock = await stopClock(t);
  const resumed: string[] = [];
  const work = async (name: string) => {
    for (const slice of [1, 2]) {
      await nextSlice();
      clock.nowMs += sliceMs / 2;
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
  assert.deepEqual(counts, [2, 4, 6]);
});

/** Works for this many slices, in steps of a tenth of a slice. */
async function workFor(slices: number, clock: { nowMs: number }, noteStep = () => {}): Promise<void> {
  const timeSlice = new TimeSlice(nextSlice);
  for (let step = 0; step < 10 * slices; step += 1) {
    clock.nowMs += sliceMs / 10;
    noteStep();
    if (timeSlice.isOver()) await timeSlice.next();
  }
}

test('short work does not wait for all long work, nor long work for all short work', async (t) => {
  const clock = await stopClock(t);
  const ended = { long: 0, short: 0 };
  let longSteps = 0;
  const noteLongStep = () => {
    longSteps += 1;
  };
  const long = Array.from({ length: 20 }, () =>
    workFor(4, clock, noteLongStep).then(() => (ended.long += 1)),
  );
  // By then, each long work has had a whole slice, and most need more.
  while (longSteps < 400) await nextIteration();
  const longStepsBefore = longSteps;
  const short = workFor(0.5, clock).then(() => (ended.short += 1));
  await short;
  const slicesBetween = (longSteps - longStepsBefore) / 10;
  assert.ok(slicesBetween <= 2, `the short work waited for ${slicesBetween} slices of long work`);
  const shorts: Promise<number>[] = [];
  let iterations = 0;
  for (; ended.long < 20 && iterations < 200; iterations += 1) {
    for (let count = 0; count < 3; count += 1)
      shorts.push(workFor(0.5, clock).then(() => (ended.short += 1)));
    await nextIteration();
  }
  assert.equal(ended.long, 20, `after ${iterations} more iterations, each with new short work`);
  await Promise.all([...long, short, ...shorts]);
});

test('all work that takes turns shares one slice of an iteration, and work within a transaction has its own', async (t) => {
  const clock = await stopClock(t);
  const steps: string[] = [];
  const work = async (name: string, timeSlice: TimeSlice) => {
    for (let step = 0; step < sliceMs; step += 1) {
      clock.nowMs += 1;
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
  assert.deepEqual(iterations, ['aaaaabcttttt', 'bbbbc', 'ccc']);
});
