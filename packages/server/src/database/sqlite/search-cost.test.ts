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

test('the rows of a statement take 20 ms at 4 ns a step, where values begin like the text as often as they can', () => {
  for (const [text, steps] of [
    // GLOB comes to each of the three characters at every place, and to the end of the text at every third.
    ['112', 1 + 2 + 2 + 2 + 1 / 3],
    // It comes to the last four at every fourth place, and to the end at every fifth.
    ['11121111', 1 + 2 + 2 + 2 + 2 + 4 * (2 / 4) + 1 / 5],
  ] as const)
    assert.equal(rowsAtOnce(text, 100), Math.floor(20_000_000 / (4 * 100 * steps)), text);
});

test('a letter costs more than a digit, because GLOB compares it with both of its cases', () => {
  assert.ok(rows('aaab') < rows('aaa1'), `${rows('aaab')} and ${rows('aaa1')}`);
});
