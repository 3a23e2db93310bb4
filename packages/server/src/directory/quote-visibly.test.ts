import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteVisibly } from './quote-visibly.ts';

test('characters that nobody sees are quoted as escapes', () => {
  for (const [text, quoted] of [
    ['N-001\u200b', '"N-001\\u200b"'],
    ['N\u00a0001', '"N\\u00a0001"'],
    ['\ufeffN-001', '"\\ufeffN-001"'],
    ['a\u202eb\u3000c\u2028', '"a\\u202eb\\u3000c\\u2028"'],
    ['\t\u007f\u0085', '"\\t\\u007f\\u0085"'],
  ] as const) {
    assert.equal(quoteVisibly(text), quoted);
    assert.equal(JSON.parse(quoteVisibly(text)), text);
  }
});

test('all other text is quoted as it is', () => {
  for (const text of ['N 001', '店 1', 'é', '😀', '\u200d', '{"-"}'])
    assert.equal(quoteVisibly(text), JSON.stringify(text));
});
