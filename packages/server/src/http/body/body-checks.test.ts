import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { BodyChecks } from './body-checks.ts';

/** Passes the bytes in pieces that end at the cuts. */
function checkInPieces(bytes: Buffer, cuts: readonly number[]) {
  const checks = new BodyChecks();
  const ends = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  for (const end of ends) checks.add(bytes.subarray(0, end));
  return checks.finish(bytes);
}

test('a body in pieces of any size is checked and hashed like the whole', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => Buffer.from(value));
  const noise = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value));
  const cut = fc
    .tuple(text, fc.nat(3))
    .map(([bytes, missing]) => bytes.subarray(0, Math.max(0, bytes.length - missing)));
  fc.assert(
    fc.property(fc.oneof(text, noise, cut), fc.array(fc.nat(60), { maxLength: 8 }), (bytes, cuts) => {
      assert.deepEqual(checkInPieces(bytes, cuts), {
        md5: hash('md5', bytes, 'base64'),
        isUtf8: isUtf8(bytes),
      });
    }),
    { numRuns: 1000 },
  );
});

test('the number of bytes added so far is known', () => {
  const checks = new BodyChecks();
  assert.equal(checks.addedBytes, 0);
  for (const text of ['a', 'aé', 'aéb']) {
    const bytes = Buffer.from(text);
    checks.add(bytes);
    assert.equal(checks.addedBytes, bytes.length);
  }
});
