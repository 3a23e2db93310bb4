import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showInvisible } from './show-invisible.ts';

test('characters that show nothing or move the cursor are written out', () => {
  const texts = {
    'GET\r': 'GET\\r',
    'a\tb\0': 'a\\tb\\0',
    '\u001b[2J': '\\u{1b}[2J',
    'n\u200bame': 'n\\u{200b}ame',
    '\u2028': '\\u{2028}',
    'a\u00a0b\u3000c\u2800': 'a\\u{a0}b\\u{3000}c\\u{2800}',
    'a \u00a0': 'a \\u{a0}',
    'half \ud83d': 'half \\u{d83d}',
    'tag \u{e0001}': 'tag \\u{e0001}',
  };
  for (const [text, shown] of Object.entries(texts)) assert.equal(showInvisible(text), shown);
});

test('spaces show only at the end, and other characters stay as they are', () => {
  assert.equal(showInvisible(' a b  '), ' a b␠␠');
  assert.equal(showInvisible('/user?n=李伟 👩🏽'), '/user?n=李伟 👩🏽');
});
