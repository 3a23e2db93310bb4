import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeSeveralStores } from './looks-like-several-stores.ts';

const looksJoined = (code: string) => looksLikeSeveralStores(JSON.stringify(code));

test('a code with what people write between codes looks like several, and so does one with a line break or a tab', () => {
  for (const between of [...',，、;；|/／', '\n', '\r\n', '\t', '\\\n'])
    assert.ok(looksJoined(`N-001${between}N-002`), JSON.stringify(between));
  assert.ok(looksJoined('\nN-001'));
});

test('a code with a backslash or the letters of an escape looks like one', () => {
  for (const code of ['N\\north', 'N\\\\tower', 'N\\', 'n r t', 'N-001', 'N 001'])
    assert.ok(!looksJoined(code), code);
});
