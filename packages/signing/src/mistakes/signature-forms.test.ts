import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFormMistake } from './signature-forms.ts';

/** A digest whose Base64 has every character that is written differently in a URL. */
const digest = Buffer.from('fb'.repeat(16) + 'ff'.repeat(16), 'hex');
const right = digest.toString('base64');
const hex = digest.toString('hex');

const revealing: readonly (readonly [name: string, signature: string])[] = [
  ['signature-hex', hex],
  ['signature-hex', hex.toUpperCase()],
  ['signature-base64-of-hex', btoa(hex)],
  ['signature-base64-twice', btoa(right)],
  ['signature-url-encoded', encodeURIComponent(right)],
  ['signature-url-encoded', encodeURIComponent(right).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['signature-base64url', digest.toString('base64url')],
];

test('each form that reveals the digest is named, with the signature in its right form', () => {
  assert.match(right, /\+.*\/.*=/);
  for (const [name, signature] of revealing) {
    const found = findFormMistake(signature);
    assert.deepEqual([found?.mistake.name, found?.signature], [name, right]);
  }
});

test('a digest of another algorithm is named, without a right form', () => {
  for (const bytes of [16, 20, 48, 64]) {
    const other = digest
      .toString('hex')
      .repeat(2)
      .slice(0, 2 * bytes);
    const inBase64 = Buffer.from(other, 'hex').toString('base64');
    // The Base64 of 48 bytes needs no padding, so it could be any text.
    for (const signature of bytes === 48 ? [other] : [other, inBase64]) {
      const found = findFormMistake(signature);
      assert.deepEqual([found?.mistake.name, found?.signature], ['signature-digest', undefined]);
    }
  }
});

test('a signature in its right form, and text in no known form, are not reported', () => {
  for (const text of [right, '', 'x'.repeat(64), btoa('x'.repeat(60)), '%', 'signature'])
    assert.equal(findFormMistake(text), undefined);
});
