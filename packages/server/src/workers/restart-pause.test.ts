import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RestartPause } from './restart-pause.ts';

const pausesAfter = (servedMs: readonly number[], pause = new RestartPause()) =>
  servedMs.map((ms) => pause.planAfter(ms).pauseMs);

test('the first end has no pause, and those after it double the pause up to 15 seconds', () => {
  assert.deepEqual(
    pausesAfter([3_000, 0, 59_999, 3_000, 0, 0, 0, 0, 0]),
    [0, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000],
  );
});

test('a worker that served for a minute starts the count again', () => {
  const pause = new RestartPause();
  pausesAfter([0, 0, 0], pause);
  assert.deepEqual(pause.planAfter(60_000), { endsInARow: 1, pauseMs: 0 });
  assert.deepEqual(pause.planAfter(0), { endsInARow: 2, pauseMs: 400 });
});

test('a worker that ends again and again for weeks has the longest pause', () => {
  const pause = new RestartPause();
  for (let end = 0; end < 2_000; end++) pause.planAfter(0);
  assert.equal(pause.planAfter(0).pauseMs, 15_000);
});
