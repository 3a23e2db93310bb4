import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from './print.ts';

test('printed text moves no cursor, ends no line and turns the direction of nothing after it', () => {
  assert.equal(printable('\u001b[31mred\u009b0m and \u0007 plain'), 'red and � plain');
  assert.equal(printable('a\r\nb\u2028c\u2029d'), 'a��b�c�d');
  assert.equal(printable('\u202eevil\u202c \u2067rtl\u2069 (not verified)'), '�evil� �rtl� (not verified)');
});

test('letters, emoji, joiners and the marks of right-to-left scripts are printed as they are', () => {
  const text = '李雷 é e\u0301 👩\u200d🌾 می\u200cخواهم \u200fאב\u200f';
  assert.equal(printable(text), text);
});
