import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTimeZone } from '../../../test/in-time-zone.ts';
import { timeOfDays } from './time-of-days.ts';

test('the time of two days ends with the last of them, and an open end is none', () => {
  const [since, until] = [Date.UTC(2026, 0, 29, 16), Date.UTC(2026, 0, 31, 16)];
  inTimeZone('Asia/Shanghai', () => {
    assert.deepEqual(timeOfDays({ from: '2026-01-30', until: '2026-01-31' }), { since, until });
    assert.deepEqual(timeOfDays({ from: '2026-01-30' }), { since });
    assert.deepEqual(timeOfDays({ until: '2026-01-31' }), { until });
    assert.deepEqual(timeOfDays({}), {});
  });
});
