import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract/limits';
import { BodyBudget } from '../body/body-budget.ts';
import { bodyOverheadBytes, type ProcessMemory } from '../body/body-memory.ts';
import {
  heldAtMostOf,
  leastBytesOf,
  type MemoryShares,
  memorySharesOf,
  otherWorkBytes,
  ownBytesOf,
  worstCaseBytesOf,
} from './memory-shares.ts';

const mebibyte = 1024 * 1024;
const largestBody = 32 * mebibyte;

const settings = {
  workers: 1,
  bodyBytesMax: limits.bodyBytesMax,
  batchBodyBytesMax: limits.batchBodyBytesMax,
  connectionsMax: 16_384,
  console: true,
  consoleListen: '',
};

/** A control group, with the heap limit that V8 derives from it. */
const groupOf = (mebibytes: number): ProcessMemory => ({
  constrainedBytes: mebibytes * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  heapBytesMax: Math.min(4096, mebibytes / 2) * mebibyte,
});

const inMebibytes = (shares: MemoryShares) =>
  Object.fromEntries(Object.entries(shares).map(([name, bytes]) => [name, bytes / mebibyte]));

const sizes = [590, 640, 768, 1000, 1024, 1536, 2048, 3000, 4096, 8192, 16_384, 65_536, 262_144];

test('what all clients together can make a process hold fits into its memory, from 590 MiB on', () => {
  for (const size of sizes)
    for (const workers of [1, 2, 3, 4, 8, 64])
      for (const batchBodyBytesMax of [1, 8, 32, 64, 256].map((mebibytes) => mebibytes * mebibyte)) {
        const given = { ...settings, workers, batchBodyBytesMax };
        const own = ownBytesOf(groupOf(size), workers);
        if (own < leastBytesOf(given)) continue;
        const worst = worstCaseBytesOf(groupOf(size), given);
        assert.ok(worst <= own, `${worst} of ${own} bytes, ${workers} workers in ${size} MiB`);
      }
  assert.ok(leastBytesOf(settings) < 590 * mebibyte);
});

test('from 2 GiB on, the work fits besides whose amount does not depend on the memory', () => {
  for (const size of sizes.filter((each) => each >= 2048))
    assert.ok(worstCaseBytesOf(groupOf(size), settings) + otherWorkBytes <= size * mebibyte, `${size} MiB`);
});

test('a smaller process has the least of each share', () => {
  const least = memorySharesOf(groupOf(512), settings);
  assert.equal(worstCaseBytesOf(groupOf(512), settings), leastBytesOf(settings));
  assert.deepEqual(inMebibytes(least), {
    smallBodies: 8,
    largeBodies: 32 + 1 / 1024,
    carriedOut: 32,
    carriedOutMiddle: 2,
    readAnswers: 64,
    waitingRequests: 9,
    waitingBodies: 16,
    waitingChunkedBodies: 8,
    chunkTurns: 4,
    queuedResponses: 18,
    heldRefusals: 2.25,
    idleConnections: 12,
    unfinishedHeaders: 4,
  });
});

test('with 8 GiB, every share but that of idle connections has its most', () => {
  const { idleConnections, ...others } = inMebibytes(memorySharesOf(groupOf(8192), settings));
  assert.equal(idleConnections, 1024);
  assert.deepEqual(others, {
    smallBodies: 128,
    largeBodies: 384,
    carriedOut: 128,
    carriedOutMiddle: 32,
    readAnswers: 256,
    waitingRequests: 72,
    waitingBodies: 128,
    waitingChunkedBodies: 128,
    chunkTurns: 128,
    queuedResponses: 72,
    heldRefusals: 144,
    unfinishedHeaders: 16,
  });
});

test('no share shrinks when a process gets more memory', () => {
  let before = memorySharesOf(groupOf(1), settings);
  for (let size = 64; size <= 10_240; size += 64) {
    const shares = memorySharesOf(groupOf(size), settings);
    for (const [name, bytes] of Object.entries(before))
      assert.ok(shares[name as keyof MemoryShares] >= bytes, `${name} with ${size} MiB`);
    before = shares;
  }
});

test('workers share the memory, without what their supervisor needs', () => {
  assert.equal(ownBytesOf(groupOf(1024), 1), 1024 * mebibyte);
  assert.equal(ownBytesOf(groupOf(1024), 2), 460 * mebibyte);
  assert.equal(ownBytesOf(groupOf(64), 4), 0);
  assert.deepEqual(
    memorySharesOf({ ...groupOf(4096), heapBytesMax: 2048 * mebibyte }, { ...settings, workers: 2 }),
    memorySharesOf({ ...groupOf(1996), heapBytesMax: 2048 * mebibyte }, settings),
  );
});

test("V8's limit for the heap bounds what is in it", () => {
  for (const heap of [1, 256, 512, 1024, 2048]) {
    const memory = { ...groupOf(65_536), heapBytesMax: heap * mebibyte };
    assert.deepEqual(memorySharesOf(memory, settings), memorySharesOf(groupOf(2 * heap), settings));
    assert.equal(worstCaseBytesOf(memory, settings), worstCaseBytesOf(groupOf(2 * heap), settings));
  }
});

test('idle connections take no more than --connections-max allows, on each port', () => {
  const memory = groupOf(8192);
  const idleOf = (given: Partial<typeof settings>) =>
    heldAtMostOf(memory, { ...settings, ...given }).idleConnections / mebibyte;
  assert.equal(idleOf({}), 192);
  assert.equal(idleOf({ consoleListen: '8081' }), 384);
  assert.equal(idleOf({ connectionsMax: 1024 }), 12);
  assert.equal(idleOf({ connectionsMax: 1_000_000 }), 1024);
  const worst = worstCaseBytesOf(memory, { ...settings, connectionsMax: 1_000_000 });
  assert.equal(worst - worstCaseBytesOf(memory, settings), (1024 - 192) * mebibyte);
});

test('a body of the largest size always fits and may be carried out, however little memory there is', () => {
  const { smallBodies, largeBodies, carriedOut } = memorySharesOf(groupOf(1), settings);
  assert.ok(smallBodies >= 4 * mebibyte);
  const budget = new BodyBudget({ smallBytes: smallBodies, largeBytes: largeBodies });
  const holder = { name: '203.0.113.7', partMax: 1 / 2 };
  assert.ok(budget.tryTakeLarge(largestBody + bodyOverheadBytes, holder) !== undefined);
  assert.equal(carriedOut, largestBody);
});

test('answers that clients read may take 64 MiB, however little memory there is', () => {
  assert.equal(memorySharesOf(groupOf(1), settings).readAnswers, 64 * mebibyte);
});
