import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNestedDeeper } from './is-nested-deeper.ts';

const isDeeper = (json: string, levelsMax = 4) => isNestedDeeper(Buffer.from(json), levelsMax);

test('arrays and objects are counted together, up to the limit', () => {
  assert.equal(isDeeper('[{"a":[{}]}]'), false);
  assert.equal(isDeeper('[{"a":[{"b":[]}]}]'), true);
});

test('arrays and objects that are closed no longer count as levels', () => {
  assert.equal(isDeeper(`[${'[],'.repeat(10)}[]]`), false);
  assert.equal(isDeeper(`[${'{},'.repeat(10)}{}]`), false);
});

test('brackets in a string do not count, escaped quotes or not, even if it never ends', () => {
  for (const json of [
    '"[[[[[[[[["',
    '"\\"[[[[[[[[["',
    '["\\\\",[[[" [[[[["]]]]',
    '"[[[[[[[[[',
    '"[[[[[[[[\\',
  ])
    assert.equal(isDeeper(json), false, json);
  assert.equal(isDeeper('["\\\\",[[[["x"]]]]]'), true);
});

test('a text too short to close as many levels is left to the parser, which refuses it', () => {
  assert.equal(isDeeper('['.repeat(8)), false);
  assert.equal(isDeeper('['.repeat(9)), true);
});
