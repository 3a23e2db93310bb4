import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTimeZone } from '../../../test/in-time-zone.ts';
import { countTicks, timeTicks } from './axis-ticks.ts';

test('the lines behind counts are at round numbers, and the last one is not below the highest count', () => {
  assert.deepEqual(countTicks(35), [0, 10, 20, 30, 40]);
  assert.deepEqual(countTicks(4), [0, 1, 2, 3, 4]);
  assert.deepEqual(countTicks(6), [0, 2, 4, 6]);
  assert.deepEqual(countTicks(1201), [0, 500, 1000, 1500]);
});

test('a count below one, or none at all, has the line at one', () => {
  assert.deepEqual(countTicks(0), [0, 1]);
  assert.deepEqual(countTicks(0.3), [0, 1]);
});

const start = new Date(2026, 10, 29, 12, 25).getTime();

function clockTimes(count: number, stepSeconds: number, from = start): string[] {
  const times = Array.from({ length: count }, (_, index) => from + index * stepSeconds * 1000);
  return timeTicks(times, stepSeconds).map((index) => {
    const date = new Date(times[index] ?? 0);
    return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  });
}

test('an hour is labelled every ten minutes of the clock', () => {
  assert.deepEqual(clockTimes(60, 60), ['12:30', '12:40', '12:50', '13:00', '13:10', '13:20']);
});

test('a day is labelled at the first point of every third hour', () => {
  const expected = ['12:25', '15:25', '18:25', '21:25', '00:25', '03:25', '06:25', '09:25'];
  assert.deepEqual(clockTimes(24, 3600), expected);
});

test('a week is labelled at the first point of each day', () => {
  assert.deepEqual(
    clockTimes(168, 3600),
    Array.from({ length: 7 }, () => '00:25'),
  );
});

test('a first point that begins an interval is labelled too, so that a week has seven labels at any time of day', () => {
  const midnight = new Date(2026, 10, 29).getTime();
  assert.deepEqual(
    clockTimes(168, 3600, midnight),
    Array.from({ length: 7 }, () => '00:00'),
  );
});

test('days are labelled at the midnights of the reader, not at those of UTC', () => {
  const times = Array.from({ length: 168 }, (_, index) => Date.UTC(2026, 10, 29) + index * 3_600_000);
  const labelled = inTimeZone('Asia/Shanghai', () => timeTicks(times, 3600));
  assert.deepEqual(labelled, [16, 40, 64, 88, 112, 136, 160]);
});
