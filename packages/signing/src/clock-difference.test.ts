import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeZoneHours } from './clock-difference.ts';

const toleranceSeconds = 60;
const hoursOf = (differenceSeconds: number) => timeZoneHours(differenceSeconds, toleranceSeconds);

test('whole and half hours from one to fourteen look like a time zone, ahead or behind', () => {
  for (const hours of [1, 1.5, 5.5, 8, 13.5, 14]) {
    assert.equal(hoursOf(hours * 3600), hours);
    assert.equal(hoursOf(-hours * 3600), -hours);
  }
});

test('less than one hour and more than fourteen do not look like a time zone', () => {
  for (const hours of [0, 0.5, 14.5, 15, 24]) {
    assert.equal(hoursOf(hours * 3600), undefined);
    assert.equal(hoursOf(-hours * 3600), undefined);
  }
});

test('the clock may also be off by the tolerance', () => {
  for (const seconds of [-toleranceSeconds, toleranceSeconds]) assert.equal(hoursOf(7200 + seconds), 2);
  for (const seconds of [-toleranceSeconds - 1, toleranceSeconds + 1, 900]) {
    assert.equal(hoursOf(7200 + seconds), undefined);
  }
});
