import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { secretKey, signature, signaturesEqual } from './signature.ts';

test('a signature is Base64 of the raw HMAC-SHA256 (RFC 4231, test case 2)', () => {
  const expected = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex');
  assert.equal(signature('Jefe', 'what do ya want for nothing?'), expected.toString('base64'));
});

test('a prepared key signs like its secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (secret, text) => {
      assert.equal(signature(secretKey(secret), text), signature(secret, text));
    }),
  );
});

test('a printed key shows no part of the secret', () => {
  const key = secretKey('hunter2-hunter2');
  const printed = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key) + String(key);
  assert.doesNotMatch(printed, /hunter2|68756e74|104, 117/);
});

test('signatures are compared as texts', () => {
  const right = signature('secret', 'text');
  assert.equal(signaturesEqual(right, `${right}`), true);
  assert.equal(signaturesEqual(right, ''), false);
  assert.equal(signaturesEqual(right, right.slice(0, -1)), false);
  assert.equal(signaturesEqual(right, `${right}=`), false);
  for (let i = 0; i < right.length; i++) {
    const changed = `${right.slice(0, i)}${right[i] === 'A' ? 'B' : 'A'}${right.slice(i + 1)}`;
    assert.equal(signaturesEqual(right, changed), false);
  }
});
