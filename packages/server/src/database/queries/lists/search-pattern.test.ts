import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldCase } from '@fieldroster/contract/characters';
import { caseVariants } from './search-pattern.ts';

test('a character matches exactly those that are equal but for case', () => {
  const characters = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint));
  const alike = Map.groupBy(characters, foldCase);
  const wrong = [...alike.values()]
    .filter((letters) => letters.length > 1)
    .filter((letters) =>
      letters.some((letter) => {
        const [variants = []] = caseVariants(letter);
        return new Set(variants).symmetricDifference(new Set(letters)).size > 0;
      }),
    );
  assert.deepEqual(wrong, []);
});
