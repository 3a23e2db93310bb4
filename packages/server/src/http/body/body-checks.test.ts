import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { createHash, Hash, hash } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import fc from 'fast-check';
import { sliceMs } from '../../slices/time-slice.ts';
import { BodyChecks } from './body-checks.ts';

/** Passes the bytes in pieces that end at the cuts. */
function checkInPieces(bytes: Buffer, cuts: readonly number[]) {
  const checks = new BodyChecks();
  const ends = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  for (const end of ends) checks.add(bytes.subarray(0, end));
  return checks.finish(bytes);
}

/** Texts, some of which end within a character, and noise, each repeated. */
function bodies(repeated: number) {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => Buffer.from(value));
  const noise = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value));
  const cut = fc
    .tuple(text, fc.nat(3))
    .map(([bytes, missing]) => bytes.subarray(0, Math.max(0, bytes.length - missing)));
  return fc.oneof(text, noise, cut).map((bytes) => Buffer.concat(Array(repeated).fill(bytes)));
}

for (const [size, repeated, numRuns] of [
  ['any size', 1, 1000],
  ['several steps', 5_000, 100],
] as const) {
  test(`a body in pieces, of ${size}, is checked and hashed like the whole`, async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies(repeated),
        fc.array(fc.nat(60 * repeated), { maxLength: 8 }),
        async (bytes, cuts) => {
          assert.deepEqual(await checkInPieces(bytes, cuts), {
            md5: hash('md5', bytes, 'base64'),
            isUtf8: isUtf8(bytes),
          });
        },
      ),
      { numRuns },
    );
  });
}

const step = 64 * 1024;

test('bodies that arrive at once are hashed in steps of 64 KiB, as far as their common slice of time allows', async (t) => {
  await nextIteration();
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const hashed: number[] = [];
  const { update } = Hash.prototype;
  t.mock.method(Hash.prototype, 'update', function (this: Hash, bytes: Buffer) {
    nowMs += sliceMs / 2;
    hashed.push(bytes.length);
    return update.call(this, bytes);
  });
  const bytes = Buffer.alloc(4 * step + 1, 'a');
  const [first, second] = [new BodyChecks(), new BodyChecks()];
  first.add(bytes.subarray(0, step - 1));
  assert.deepEqual(hashed, [], 'less than a step');
  first.add(bytes);
  second.add(bytes);
  assert.deepEqual(hashed, [step, step], 'the slice is over');
  const ended = Promise.all([first.finish(bytes), second.finish(bytes)]);
  assert.deepEqual(hashed, [step, step], 'each waits for its turn');
  await nextIteration();
  assert.deepEqual(hashed, Array(4).fill(step));
  const md5 = createHash('md5').update(bytes).digest('base64');
  assert.deepEqual(await ended, Array(2).fill({ md5, isUtf8: true }));
});
