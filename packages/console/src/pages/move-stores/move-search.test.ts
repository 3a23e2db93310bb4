import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMoveSearch } from './move-search.ts';

test('ids are numbers, which an address has without quotes, unless JavaScript would round them', () => {
  assert.deepEqual(readMoveSearch({ from: '1', to: 2 }), { from: 1, to: 2 });
  assert.deepEqual(readMoveSearch({ from: '9223372036854775807' }), { from: '9223372036854775807' });
});

test('an address drops a value that is not an id, and a colleague who is the same user', () => {
  assert.deepEqual(readMoveSearch({ from: 'x', to: '2' }), { to: 2 });
  assert.deepEqual(readMoveSearch({ from: 2, to: '2' }), { from: 2 });
});
