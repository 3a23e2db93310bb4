import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTimeZone } from '../../../test/in-time-zone.ts';
import { startOfDay } from './start-of-day.ts';

test('a day begins at midnight in the zone of the reader, and ends when the next one begins', () => {
  inTimeZone('Asia/Shanghai', () => {
    assert.equal(startOfDay('2026-01-31', 0), Date.UTC(2026, 0, 30, 16));
    assert.equal(startOfDay('2026-12-31', 1), Date.UTC(2026, 11, 31, 16));
  });
});

test('a day on which the clocks change ends an hour earlier', () => {
  inTimeZone('Europe/Berlin', () => {
    assert.equal(startOfDay('2026-03-29', 0), Date.UTC(2026, 2, 28, 23));
    assert.equal(startOfDay('2026-03-29', 1), Date.UTC(2026, 2, 29, 22));
  });
});

test('a year of which two digits are typed is not one of the last century', () => {
  assert.equal(new Date(startOfDay('0026-06-01', 0)).getFullYear(), 26);
});
