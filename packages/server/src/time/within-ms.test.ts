import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { withinMs } from './within-ms.ts';

/** Starts work that the test ends itself, with 100 ms of a clock that the test moves. */
function begin(t: TestContext, onLate: () => string) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const work = Promise.withResolvers<string>();
  const onLateCalls = t.mock.fn(onLate);
  return { ...work, onLateCalls, result: withinMs(work.promise, 100, onLateCalls) };
}

test('work that ends in time has its own result, and its time limit is given up', async (t) => {
  const { resolve, result, onLateCalls } = begin(t, () => 'late');
  t.mock.timers.tick(99);
  resolve('done');
  assert.equal(await result, 'done');
  t.mock.timers.tick(100);
  assert.equal(onLateCalls.mock.callCount(), 0);
});

test('work that fails in time fails with its own error, and its time limit is given up', async (t) => {
  const { reject, result, onLateCalls } = begin(t, () => 'late');
  reject(new Error('broken'));
  await assert.rejects(result, { message: 'broken' });
  t.mock.timers.tick(100);
  assert.equal(onLateCalls.mock.callCount(), 0);
});

test('late work is not waited for, and its failure disturbs nobody', async (t) => {
  const { reject, result } = begin(t, () => 'late');
  t.mock.timers.tick(100);
  assert.equal(await result, 'late');
  reject(new Error('broken'));
});

test('late work fails with the error that is thrown for it', async (t) => {
  const { result } = begin(t, () => {
    throw new Error('out of time');
  });
  t.mock.timers.tick(100);
  await assert.rejects(result, { message: 'out of time' });
});
