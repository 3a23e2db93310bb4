import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodiesWithLineBreaks, respacedBodies, respacedCharactersMax } from './respaced-bodies.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const respaced = (text: string) => [...respacedBodies(bytesOf(text))];
const broken = (text: string) => [...bodiesWithLineBreaks(bytesOf(text))];

const value = { a: [1, { b: '[x, y]: "' }], c: [], d: {}, e: null };
const indents = ['  ', '    ', '\t'];

test('a body is written with the white space of other writers, once in each form', () => {
  const compact = JSON.stringify(value);
  const spaced = '{"a": [1, {"b": "[x, y]: \\""}], "c": [], "d": {}, "e": null}';
  const indented = indents.map((indent) => JSON.stringify(value, null, indent));
  assert.deepEqual(respaced(compact), [spaced, ...indented]);
  assert.deepEqual(respaced(spaced), [compact, ...indented]);
  assert.deepEqual(respaced(' ]'), [']', '\n]']);
});

test('a body without its line breaks is written with them, and one with line breaks is not', () => {
  for (const indent of indents) {
    const lines = JSON.stringify(value, null, indent);
    assert.deepEqual(
      broken(lines.replaceAll('\n', '')),
      [lines, `${lines}\n`].flatMap((text) => [text, text.replaceAll('\n', '\r\n')]),
    );
    assert.deepEqual(broken(lines), []);
  }
  for (const text of ['1', '{"a":1}', '{ "a": 1}', '{  "a": 1} ', '']) assert.deepEqual(broken(text), []);
});

test('a text of 64 Ki characters is made, a longer one is not', () => {
  const nested = (text: string) => '['.repeat(64) + ','.repeat(959) + text;
  const longest = (text: string) => Math.max(...respaced(text).map(({ length }) => length));
  const spare = respacedCharactersMax - longest(nested(''));
  assert.equal(longest(nested('x'.repeat(spare))), respacedCharactersMax);
  assert.ok(longest(nested('x'.repeat(spare + 1))) < 3_000);
});
