import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeriodicTask } from './periodic-task.ts';

const fail = (error: unknown) => assert.fail(String(error));

test('the work is repeated at the interval until the task is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const task = new PeriodicTask(work, { intervalMs: 1_000, onError: fail });
  task.start();
  for (const [ms, expected] of [
    [999, 0],
    [1, 1],
    [1_000, 2],
  ] as const) {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    assert.equal(runs, expected);
  }
  await task.stop();
  t.mock.timers.tick(10_000);
  assert.equal(runs, 2);
});

test('a run that is under way is joined, and a stop waits for it', async () => {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const task = new PeriodicTask(work, { intervalMs: 1_000, onError: fail });
  const runs = [task.run(), task.run()];
  let stopped = false;
  const stop = task.stop().then(() => {
    stopped = true;
  });
  await new Promise(setImmediate);
  assert.deepEqual([ends.length, stopped], [1, false]);
  ends[0]?.();
  await Promise.all([...runs, stop]);
  void task.run();
  assert.equal(ends.length, 2, 'a later run starts the work again');
});

test('a run that fails is reported, and the next one comes', async () => {
  const errors: unknown[] = [];
  const thrown = new Error('no connection');
  const onError = (error: unknown) => void errors.push(error);
  const task = new PeriodicTask(() => Promise.reject(thrown), { intervalMs: 1_000, onError });
  await task.run();
  await task.run();
  assert.deepEqual(errors, [thrown, thrown]);
});
