import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDay } from './start-of-day.ts';

test('a day begins at midnight in the zone of the reader, and ends when the next one begins', () => {
  assert.equal(startOfDay('2026-01-31', 0), new Date(2026, 0, 31).getTime());
  assert.equal(startOfDay('2026-12-31', 1), new Date(2027, 0, 1).getTime());
});

test('a year of which two digits are typed is not one of the last century', () => {
  assert.equal(new Date(startOfDay('0026-06-01', 0)).getFullYear(), 26);
});
