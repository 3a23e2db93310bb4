import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { entrySerializer } from './serialize-entry.ts';

const serialize = entrySerializer(
  Type.Object({
    name: Type.String(),
    note: Type.Optional(Type.String()),
    added: Type.Array(Type.String()),
    removed: Type.Array(Type.Integer()),
  }),
);

const listOf = (length: number) => Array.from({ length }, (_, index) => index);

test('an entry comes in one piece while its lists have up to 500 values, however long its texts are', () => {
  const entry = { name: 'n'.repeat(1_000), added: [], removed: listOf(500) };
  assert.deepEqual([...serialize(entry)], [JSON.stringify(entry)]);
});

test('an entry with a longer list comes in pieces, none of which has more than 500 values', () => {
  for (const [added, removed] of [
    [501, 0],
    [0, 1_000],
    [1_001, 501],
  ] as const) {
    const entry = { name: 'n', added: listOf(added).map(String), removed: listOf(removed) };
    const pieces = [...serialize(entry)];
    assert.equal(pieces.join(''), JSON.stringify(entry));
    for (const piece of pieces) assert.ok(piece.split(',').length <= 501, piece);
  }
});

test('a member that a long entry does not have is left out', () => {
  const entry = { name: 'n', note: undefined, added: [], removed: listOf(501) };
  assert.equal([...serialize(entry)].join(''), JSON.stringify(entry));
});
