import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeSteering, printable } from './print.ts';

test('printed text moves no cursor, ends no line and turns the direction of nothing after it', () => {
  assert.equal(printable('\u001b[31mred\u009b0m and \u0007 plain'), 'red and � plain');
  assert.equal(printable('a\r\nb\u2028c\u2029d'), 'a��b�c�d');
  assert.equal(printable('\u202eevil\u202c \u2067rtl\u2069 (not verified)'), '�evil� �rtl� (not verified)');
});

test('characters that a terminal would not show are printed in a visible form', () => {
  const hidden = 'a\u200bb\u2060c\ufeffd\u00ade\u3164f\u{e0041}g';
  assert.equal(printable(hidden), 'a�b�c�d�e�f�g');
  const shown = escapeSteering(JSON.stringify(hidden));
  assert.match(shown, /^"a\\u200bb\\u2060c\\ufeffd\\u00ade\\u3164f\\udb40\\udc41g"$/);
  assert.equal(JSON.parse(shown), hidden);
});

test('letters, emoji, joiners and the marks of right-to-left scripts are printed as they are', () => {
  const text = '李雷 é e\u0301 👩\u200d🌾 می\u200cخواهم \u200fאב\u200f';
  assert.equal(printable(text), text);
});

test('JSON for a terminal has an escape for each character that steers it, and keeps its value', () => {
  const value = {
    name: 'a\u001b[31m\u009b0m\u007f\u2028\u202eb\u2067c',
    'k\u0085': ['李雷 é 👩\u200d🌾\t"\\'],
  };
  const json = `${JSON.stringify(value, undefined, '\t').replaceAll('\n', '\r\n')}\n`;
  const shown = escapeSteering(json);
  assert.doesNotMatch(shown, /(?!\r\n|[\n\t])[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
  assert.deepEqual(JSON.parse(shown), value);
  assert.match(shown, /"a\\u001b\[31m\\u009b0m\\u007f\\u2028\\u202eb\\u2067c"/);
  assert.equal(escapeSteering('{"a":1}\r\n'), '{"a":1}\r\n');
});
