import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { WaitingBodies, waitingBodiesMaxOf } from './waiting-bodies.ts';

const mebibyte = 1024 * 1024;

/** The shares that this class does not use. */
const otherShares = {
  smallBodies: 0,
  largeBodies: 0,
  carriedOut: 0,
  carriedOutMiddle: 0,
  readAnswers: 0,
  chunkTurns: 0,
  queuedResponses: 0,
  heldRefusals: 0,
  idleConnections: 0,
  unfinishedHeaders: 0,
};

test('a request counts as 9 KiB, the first packet of a body in chunks as 4 MiB, and another as its bytes', () => {
  const max = waitingBodiesMaxOf({
    ...otherShares,
    waitingRequests: 72 * mebibyte,
    waitingBodies: 33 * mebibyte,
    waitingChunkedBodies: 35 * mebibyte,
  });
  assert.deepEqual(max, { requests: 8_192, chunked: 8, bytes: 33 * mebibyte });
});

test('as many requests fit as may wait, on all listeners together', () => {
  const bodies = new WaitingBodies({ requests: 2, chunked: 1, bytes: 100_000 });
  const request = { headers: {} } as IncomingMessage;
  for (let count = 0; count < 2; count += 1) {
    assert.ok(bodies.fits(request));
    bodies.add(request);
  }
  assert.ok(!bodies.fits(request));
  bodies.remove(request);
  assert.ok(bodies.fits(request));
});

test('a body fits as long as those of its kind take less than they may', () => {
  const bodies = new WaitingBodies({ requests: 10, chunked: 1, bytes: 100_000 });
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
