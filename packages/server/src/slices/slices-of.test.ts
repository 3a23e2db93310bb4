import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slicesOf } from './slices-of.ts';

const limits = { countMax: 3, weightMax: 10, weightOf: (value: number) => value };

test('slices end at the count or the weight, whichever it reaches first', () => {
  assert.deepEqual(
    [...slicesOf([1, 1, 1, 1, 9, 2, 8], limits)],
    [
      [1, 1, 1],
      [1, 9],
      [2, 8],
    ],
  );
});

test('a value that weighs too much is a slice of its own', () => {
  assert.deepEqual([...slicesOf([1, 99, 1], limits)], [[1], [99], [1]]);
});

test('no values give no slices', () => {
  assert.deepEqual([...slicesOf([], limits)], []);
});
