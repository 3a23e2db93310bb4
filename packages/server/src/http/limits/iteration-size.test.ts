import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IterationSize } from './iteration-size.ts';

/** @param fixedMs what an iteration takes however few requests it handles */
function startIterations(fixedMs: number, perRequestMs: number) {
  let workedMs = 0;
  const size = new IterationSize(() => workedMs);
  /** Runs an iteration that has more requests than it may handle, and returns how many it handled. */
  const iteration = () => {
    const handled = size.max;
    workedMs += fixedMs + handled * perRequestMs;
    size.endIteration(handled);
    return handled;
  };
  return { size, iteration };
}

test('iterations handle fewer requests while they are long, and more while they are short', () => {
  const slow = startIterations(0, 5);
  assert.equal(Array.from({ length: 60 }, slow.iteration).at(-1), 2);
  const fast = startIterations(0, 0.01);
  fast.size.noteBusy();
  assert.deepEqual(Array.from({ length: 4 }, fast.iteration), [128, 64, 68, 72]);
});

test('an iteration that is long for other reasons than its requests handles as many as before', () => {
  const { iteration } = startIterations(30, 0.01);
  const handled = Array.from({ length: 100 }, iteration);
  assert.deepEqual(handled.slice(0, 9), [128, 64, 64, 64, 64, 64, 64, 128, 128]);
  assert.ok(handled.filter((count) => count < 128).length < 20, String(handled));
});

test('iterations handle fewer requests while verified ones are refused, and more again after that', () => {
  const { size, iteration } = startIterations(0, 0.01);
  const refusing = Array.from({ length: 7 }, () => {
    size.noteBusy();
    iteration();
    return size.max;
  });
  assert.deepEqual(refusing, [64, 32, 16, 8, 4, 2, 2]);
  assert.deepEqual([iteration(), iteration(), iteration()], [2, 6, 10]);
});

test('the pace does not count what the process did before its first iteration', () => {
  let workedMs = 2_000;
  const size = new IterationSize(() => workedMs);
  size.begin();
  workedMs += 100;
  size.endIteration(50);
  assert.equal(size.perMs, 0.5);
});

/** Returns a function that ends an iteration which took this long, and returns the size of the next one. */
function startIterationsByHand() {
  let workedMs = 0;
  const size = new IterationSize(() => workedMs);
  const end = (tookMs: number, handled = size.max) => {
    workedMs += tookMs;
    size.endIteration(handled);
    return size.max;
  };
  return { size, end };
}

test('an iteration of 16 ms is not too long, and one of 8 ms not too short', () => {
  const { size, end } = startIterationsByHand();
  assert.equal(end(16), 128);
  size.noteBusy();
  assert.deepEqual([end(16), end(8), end(7.9)], [64, 64, 68]);
});

test('a long iteration with one request says nothing about their number, nor a short one without any', () => {
  const { size, end } = startIterationsByHand();
  assert.equal(end(30, 1), 128);
  size.noteBusy();
  assert.deepEqual([end(1), end(1, 0)], [64, 64]);
});

test('a smaller number has proved itself as soon as an iteration is short enough, and the next long iteration halves it again', () => {
  const { end } = startIterationsByHand();
  assert.deepEqual([end(32), end(16), end(32)], [64, 64, 32]);
});

test('a smaller number stays if it saves a quarter of the time, even if its iterations are long', () => {
  const { end } = startIterationsByHand();
  end(32);
  assert.deepEqual(
    Array.from({ length: 6 }, () => end(24)),
    Array(6).fill(64),
  );
});

test('a number that was no cause of long iterations is tried again after a second of work', () => {
  const { iteration } = startIterations(20, 0);
  const handled = Array.from({ length: 58 }, iteration);
  assert.deepEqual([handled.indexOf(128, 1), handled.indexOf(64, 7)], [7, 57]);
});

test('work is the processor time of the thread, in the program and in the system', (t) => {
  const used = { user: 0, system: 0 };
  t.mock.method(process, 'threadCpuUsage', () => ({ ...used }));
  const size = new IterationSize();
  size.begin();
  Object.assign(used, { user: 150_000, system: 50_000 });
  size.endIteration(100);
  assert.equal(size.perMs, 0.5);
});
