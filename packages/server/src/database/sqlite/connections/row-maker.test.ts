import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rowMaker } from './row-maker.ts';

test('a row has each value under the name of its column', () => {
  // A literal with this key would set the prototype. None of our statements has such a column.
  const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.oneof(fc.bigInt(), fc.string(), fc.constant(null)))),
      (columns) => {
        const makeRow = rowMaker(columns.map(([column]) => column));
        assert.deepEqual(makeRow(columns.map(([, value]) => value)), Object.fromEntries(columns));
      },
    ),
  );
});

test('rows of one statement do not share values', () => {
  const makeRow = rowMaker(['id', 'name']);
  assert.deepEqual(
    [makeRow([1n, 'a']), makeRow([2n, 'b'])],
    [
      { id: 1n, name: 'a' },
      { id: 2n, name: 'b' },
    ],
  );
});
