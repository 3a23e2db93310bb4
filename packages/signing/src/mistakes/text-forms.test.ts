import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromAnyBase64, fromHex, fromUtf8, toHex } from './text-forms.ts';

test('hexadecimal digits are read in either case, and no other text is', () => {
  assert.deepEqual(fromHex('00fFA9'), Uint8Array.of(0, 255, 169));
  assert.equal(toHex(Uint8Array.of(0, 255, 169)), '00ffa9');
  for (const text of ['', 'f', 'fff', 'fg', '0x', ' ff', '漢字']) assert.equal(fromHex(text), undefined);
});

test('Base64 is read in both alphabets, with and without padding, and no other text is', () => {
  for (const text of ['-_8=', '+/8=', '-_8', '+/8'])
    assert.deepEqual(fromAnyBase64(text), Uint8Array.of(251, 255));
  for (const text of ['', '=', 'A', 'AAAAA', 'AA===', 'A A', '漢字'])
    assert.equal(fromAnyBase64(text), undefined);
});

test('UTF-8 is read with its byte order mark, and no other bytes are', () => {
  assert.equal(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa');
  assert.equal(fromUtf8(Uint8Array.of(0x61, 0xff)), undefined);
});
