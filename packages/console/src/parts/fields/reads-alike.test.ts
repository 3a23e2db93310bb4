import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readsAlike } from './reads-alike.ts';

test('line breaks, tabs, control characters and several spaces are typed as one space', () => {
  for (const name of [
    'North  west',
    'North\nwest',
    'North\r\n\twest',
    'North\u0001west',
    ' North\u3000west\n',
  ])
    assert.equal(readsAlike('North west', name), true, JSON.stringify(name));
  assert.equal(readsAlike('Northwest', 'North\nwest'), false);
});

test('invisible characters and the encoding of accents make no difference', () => {
  assert.equal(readsAlike('Cafe', '\u200bCa\u00adfe'), true);
  assert.equal(readsAlike('\u2764 North', '\u2764\ufe0f North\u3164'), true);
  assert.equal(readsAlike('Caf\u00e9', 'Cafe\u0301'), true);
  assert.equal(readsAlike('Cafe', 'Caf\u00e9'), false);
  assert.equal(readsAlike('1', '\u06dd1'), false, 'a sign that is drawn');
});

test('letters must have their case, and an empty field confirms nothing', () => {
  assert.equal(readsAlike('north', 'North'), false);
  assert.equal(readsAlike('', '\n'), false);
  assert.equal(readsAlike(' ', '\n'), true);
});
