import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packRows, unpackRows } from './packed-rows.ts';

test('rows come back as they were, and columns of integers travel as one list', () => {
  const rows = [
    [1n, 'a', null],
    [-(2n ** 63n), 2n, Uint8Array.of(1)],
  ];
  const packed = packRows(rows);
  assert.deepEqual(packed.columns[0], BigInt64Array.of(1n, -(2n ** 63n)));
  assert.deepEqual(unpackRows(packed), rows);
});

test('an empty list of rows comes back empty', () => {
  assert.deepEqual(unpackRows(packRows([])), []);
});

test('an integer that is too large for SQLite is kept, so that SQLite can refuse it', () => {
  for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n]) {
    assert.deepEqual(unpackRows(packRows([[1n], [value]])), [[1n], [value]]);
  }
});
