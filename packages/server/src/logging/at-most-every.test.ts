import assert from 'node:assert/strict';
import test from 'node:test';
import { atMostEvery } from './at-most-every.ts';

test('the first event is logged, and then the first one after each interval', () => {
  let nowMs = 0;
  const mayLog = atMostEvery(10_000, () => nowMs);
  const logged = [0, 1, 9_999, 10_000, 19_999, 25_000, 34_999, 35_000].filter((atMs) => {
    nowMs = atMs;
    return mayLog();
  });
  assert.deepEqual(logged, [0, 10_000, 25_000, 35_000]);
});
