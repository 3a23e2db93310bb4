import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCodePoints, countCharacters, foldCase, hasMoreCharacters } from './characters.ts';

test('characters are counted as code points, and a lone half of a pair as one', () => {
  for (const text of [
    '',
    'abc',
    '李雷',
    '👩\u200d🌾',
    '\ud83da',
    'a\udc00',
    '\udc00\ud83d',
    '\ud83d\ud83d\udc00',
  ])
    assert.equal(countCharacters(text), [...text].length, JSON.stringify(text));
  assert.deepEqual(
    ['🌾🌾', '🌾🌾🌾', 'abc', 'ab', 'a'.repeat(5)].map((text) => hasMoreCharacters(text, 2)),
    [false, true, true, false, true],
  );
});

test('folding takes the lower case of each character alone, or the character if that is not one character, and σ for ς', () => {
  const all: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++)
    if (code < 0xd800 || code > 0xdfff) all.push(String.fromCodePoint(code));
  const expected = all.map((character) => {
    if (character === 'ς') return 'σ';
    const lower = character.toLowerCase();
    return [...lower].length === 1 ? lower : character;
  });
  assert(foldCase(all.join('')) === expected.join(''));
  assert.equal(foldCase('ΟΔΟΣ οδος İSTANBUL Straße'), 'οδοσ οδοσ İstanbul straße');
});

test('texts are compared by code points, as their bytes in UTF-8 are', () => {
  const parts = ['', 'a', 'é', '店', '\ud7ff', '\ue000', 'Ａ', '\uffff', '𐀀', '𠮷', '\u{10ffff}'];
  const texts = parts.flatMap((first) =>
    parts.flatMap((second) => [`${first}${second}`, `${first}x${second}`]),
  );
  for (const one of texts)
    for (const other of texts) {
      const expected = Buffer.from(one).compare(Buffer.from(other));
      assert.equal(Math.sign(compareCodePoints(one, other)), expected, JSON.stringify([one, other]));
    }
});
