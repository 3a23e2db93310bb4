import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMoveSearch } from './move-search.ts';

test('an id is a number in the address, unless JavaScript would round it', () => {
  assert.deepEqual(readMoveSearch({ from: '1', to: 2 }), { from: 1, to: 2 });
  assert.deepEqual(readMoveSearch({ from: '9223372036854775807' }), { from: '9223372036854775807' });
});

test('the address drops what is not an id, and a receiver who is also the giver', () => {
  assert.deepEqual(readMoveSearch({ from: 'x', to: '2' }), { to: 2 });
  assert.deepEqual(readMoveSearch({ from: 2, to: '2' }), { from: 2 });
});
