import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { WaitingBodies, waitingBodiesMaxOf } from './waiting-bodies.ts';

const mebibyte = 1024 * 1024;

const groupOf = (mebibytes: number) => ({
  constrainedBytes: mebibytes * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  heapBytesMax: 256 * mebibyte,
});

test('the first packets of bodies that wait take a sixteenth of the memory, with a length and without', () => {
  assert.deepEqual(waitingBodiesMaxOf(groupOf(512), 1), { chunked: 8, bytes: 32 * mebibyte });
  assert.deepEqual(waitingBodiesMaxOf(groupOf(1024), 1), { chunked: 16, bytes: 64 * mebibyte });
  assert.deepEqual(waitingBodiesMaxOf(groupOf(1024), 2), { chunked: 8, bytes: 32 * mebibyte });
});

test('they never take more than 128 MiB, and one body in chunks may always wait', () => {
  assert.deepEqual(waitingBodiesMaxOf(groupOf(4096), 1), { chunked: 32, bytes: 128 * mebibyte });
  assert.deepEqual(waitingBodiesMaxOf(groupOf(16), 1), { chunked: 1, bytes: 4 * mebibyte });
});

test('a body fits as long as those of its kind take less than they may', () => {
  const bodies = new WaitingBodies({ chunked: 1, bytes: 100_000 });
  const chunked = { headers: { 'transfer-encoding': 'chunked' } } as IncomingMessage;
  const large = { headers: { 'content-length': '5000000' } } as unknown as IncomingMessage;
  for (const request of [chunked, large]) {
    assert.ok(bodies.fits(request));
    bodies.add(request);
    assert.ok(!bodies.fits(request));
  }
  bodies.remove(chunked);
  assert.ok(bodies.fits(chunked));
  assert.ok(!bodies.fits(large));
});
