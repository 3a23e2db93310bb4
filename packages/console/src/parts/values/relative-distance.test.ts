import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativeDistance } from './relative-distance.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test('a time is never shown as 60 seconds, 60 minutes or 24 hours ago', () => {
  assert.deepEqual(relativeDistance(-59.6 * second), [-1, 'minute']);
  assert.deepEqual(relativeDistance(-59.7 * minute), [-1, 'hour']);
  assert.deepEqual(relativeDistance(-23.8 * hour), [-1, 'day']);
  assert.deepEqual(relativeDistance(-29.6 * day), [-1, 'month']);
});

test('a time that does not reach the next unit keeps its unit, in the past and in the future', () => {
  assert.deepEqual(relativeDistance(-400), [-0, 'second']);
  assert.deepEqual(relativeDistance(-59.4 * second), [-59, 'second']);
  assert.deepEqual(relativeDistance(59.4 * minute), [59, 'minute']);
  assert.deepEqual(relativeDistance(3 * day), [3, 'day']);
  assert.deepEqual(relativeDistance(-800 * day), [-2, 'year']);
});
