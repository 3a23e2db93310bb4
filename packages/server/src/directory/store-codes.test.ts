import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemInEnglish } from '@fieldroster/contract/problems';
import { describeStoreCode, storesNotFound } from './store-codes.ts';

test('a code is quoted, and cut off if it is longer than any real one', () => {
  assert.equal(describeStoreCode('a"b'), '"a\\"b"');
  assert.equal(describeStoreCode('x'.repeat(100)).length, 102);
  assert.equal(describeStoreCode('x'.repeat(101)).length, 103);
});

test('the first hundred unknown codes are named and the rest counted', () => {
  const said = (codes: readonly string[]) => problemInEnglish(storesNotFound(codes));
  assert.equal(said(['a', 'b']), 'the store does not exist: "a", "b"');
  const hundred = Array.from({ length: 100 }, (_, index) => `c${index}`);
  assert(said(hundred).endsWith('"c99"'));
  assert(said([...hundred, 'x', 'y']).endsWith('"c99" and 2 more'));
});
