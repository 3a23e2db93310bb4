import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfDays } from './time-of-days.ts';

test('the time of two days ends with the last of them, and an open end is none', () => {
  const [since, until] = [new Date(2026, 0, 30).getTime(), new Date(2026, 1, 1).getTime()];
  assert.deepEqual(timeOfDays({ from: '2026-01-30', until: '2026-01-31' }), { since, until });
  assert.deepEqual(timeOfDays({ from: '2026-01-30' }), { since });
  assert.deepEqual(timeOfDays({ until: '2026-01-31' }), { until });
  assert.deepEqual(timeOfDays({}), {});
});
