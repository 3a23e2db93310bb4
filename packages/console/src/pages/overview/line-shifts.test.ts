import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineShifts } from './line-shifts.ts';

test('lines with the same value in the same place are drawn apart', () => {
  assert.deepEqual(
    lineShifts([
      [0, 2, 0],
      [1, 2, 0],
      [0, 2, 3],
    ]),
    [0, 1, 2],
  );
});

test('lines that meet only at zero stay in their place', () => {
  assert.deepEqual(
    lineShifts([
      [0, 5, 0],
      [0, 0, 5],
      [5, 0, 0],
    ]),
    [0, 0, 0],
  );
});

test('a line is shifted only past those that it meets', () => {
  assert.deepEqual(
    lineShifts([
      [4, 0],
      [4, 7],
      [0, 7],
    ]),
    [0, 1, 0],
  );
});
