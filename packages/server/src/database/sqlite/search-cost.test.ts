import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchedCharactersMax } from '../queries/lists/search-pattern.ts';
import { rowsAtOnce } from './search-cost.ts';

test('all searched values of a user have at most the characters that the contract allows', () => {
  assert.equal(searchedCharactersMax, 50 + 100 + 100 + 255 + 255 + 50);
});

const rows = (text: string) => rowsAtOnce(text, searchedCharactersMax);

test('a statement searches hundreds of rows for an ordinary text', () => {
  for (const text of ['a', 'Li', 'mueller', '13800138000', 'somebody@shop.example'])
    assert.ok(rows(text) > 300, `${rows(text)} for ${text}`);
});

test('a statement searches few rows for a text that values can begin like at many places', () => {
  for (const text of [`${'a'.repeat(99)}b`, '1'.repeat(100), 'ab'.repeat(50), `${'Aa'.repeat(49)}Bb`])
    assert.ok(rows(text) < 60, `${rows(text)} for ${text}`);
});

test('a statement searches the fewer rows, the longer their values are and the sooner the text repeats itself', () => {
  assert.ok(rowsAtOnce('abc', 1_000) > rowsAtOnce('abc', 2_000));
  const texts = ['abcdefgh', 'abcdabcd', 'abababab', 'aaaaaaaa'];
  const counts = texts.map(rows);
  assert.deepEqual(
    counts,
    counts.toSorted((one, other) => other - one),
  );
  assert.equal(rows('aAaAaAaA'), rows('aaaaaaaa'));
});
