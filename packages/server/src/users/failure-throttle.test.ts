import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureThrottle } from './failure-throttle.ts';

const windowMs = 60_000;

test('an attempt counts as failed from its beginning, so that many at once get no further', () => {
  const throttle = new FailureThrottle({ failuresMax: 3, windowMs });
  assert.deepEqual(
    [1, 2, 3, 4].map(() => throttle.begin('a', 1000)),
    [0, 0, 0, windowMs],
  );
  assert.equal(throttle.begin('b', 1000), 0, 'another key has a count of its own');
});

test('a full key waits for the end of its window, and no longer', () => {
  const throttle = new FailureThrottle({ failuresMax: 1, windowMs });
  throttle.begin('a', 1000);
  assert.equal(throttle.begin('a', 1000 + windowMs - 1), 1);
  assert.equal(throttle.begin('a', 1000 + windowMs), 0);
  assert.equal(throttle.begin('a', 1000 + windowMs), windowMs, 'which begins another window');
});

test('an attempt that is withdrawn, and a key that is reset, are not counted', () => {
  const throttle = new FailureThrottle({ failuresMax: 2, windowMs });
  throttle.begin('a', 0);
  throttle.withdraw('a');
  throttle.withdraw('a');
  throttle.withdraw('unknown');
  assert.deepEqual([throttle.begin('a', 0), throttle.begin('a', 0)], [0, 0]);
  assert.equal(throttle.begin('a', 0), windowMs);
  throttle.reset('a');
  assert.equal(throttle.begin('a', 0), 0);
});

test('a clock that is set back keeps nobody out', () => {
  const throttle = new FailureThrottle({ failuresMax: 1, windowMs });
  throttle.begin('a', 10 * windowMs);
  assert.equal(throttle.begin('a', 8 * windowMs), 0);
});

test('beyond the keys that it may remember, the oldest is forgotten', () => {
  const throttle = new FailureThrottle({ failuresMax: 1, windowMs, keysMax: 2 });
  for (const key of ['a', 'b', 'c']) throttle.begin(key, 0);
  assert.equal(throttle.begin('c', 0), windowMs);
  assert.equal(throttle.begin('b', 0), windowMs);
  assert.equal(throttle.begin('a', 0), 0);
});
