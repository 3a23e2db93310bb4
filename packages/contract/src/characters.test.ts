import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simpleLowerCase } from './characters.ts';

test('the simple lower case of a text is that of each character alone, or the character if that is not one character', () => {
  const all: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++)
    if (code < 0xd800 || code > 0xdfff) all.push(String.fromCodePoint(code));
  const expected = all.map((character) => {
    const lower = character.toLowerCase();
    return [...lower].length === 1 ? lower : character;
  });
  assert(simpleLowerCase(all.join('')) === expected.join(''));
  assert.equal(simpleLowerCase('ΟΔΟΣ İSTANBUL Straße'), 'οδοσ İstanbul straße');
});
