import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { FairConnections } from './fair-connections.ts';

/** Connections that lead nowhere: only the order of the calls is of interest. */
const pool = {
  options: {},
  connect: async () => ({ release: () => {} }) as PostgresPoolClient,
  end: async () => {},
} as PostgresPool;

function oneConnection(): FairConnections {
  return new FairConnections(pool, {
    connections: 1,
    waitMs: 60_000,
    isServing: () => true,
    busyMessage: 'busy',
  });
}

/**
 * Takes the only connection and lets calls of one application wait for it.
 *
 * @returns lets them all through, and returns how many were refused
 */
async function queueFor(connections: FairConnections, count: number): Promise<() => Promise<number>> {
  const held = await connections.connect();
  const deadline = new Deadline(60_000, { owner: 'noisy' });
  const calls = Array.from({ length: count }, () =>
    runUnderDeadline(deadline, async () => (await connections.connect()).release()),
  );
  const outcomes = Promise.allSettled(calls);
  return async () => {
    held.release();
    return (await outcomes).filter(({ status }) => status === 'rejected').length;
  };
}

test('after a queue was cut, it stays short for a second, although it is empty for a moment', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const connections = oneConnection();
  const queue = (count: number) => queueFor(connections, count);
  const finishFirst = await queue(40);
  assert.equal(connections.isFullFor('noisy'), false, 'a burst may wait');
  nowMs = 501;
  assert.equal(connections.isFullFor('noisy'), true);
  assert.equal(await finishFirst(), 16, 'cut to 24 for the connection');
  assert.equal(connections.waiting, 0);
  for (const eachMs of [1_500, 2_499]) {
    nowMs = eachMs;
    const finish = await queue(24);
    assert.equal(connections.isFullFor('noisy'), true, 'refused, which begins another second');
    assert.equal(await finish(), 0);
  }
  nowMs = 3_499;
  const finishLast = await queue(24);
  assert.equal(connections.isFullFor('noisy'), false, 'a burst again');
  assert.equal(await finishLast(), 0);
});

test('while an application floods the connections, fewer of its calls may wait', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const connections = oneConnection();
  const finish = await queueFor(connections, 24);
  nowMs = 501;
  for (let call = 0; call < 24; call += 1) assert.equal(connections.isFullFor('noisy'), true);
  nowMs = 600;
  assert.equal(connections.isFullFor('noisy'), true);
  assert.equal(await finish(), 0);
  const held = await connections.connect();
  nowMs = 1_502;
  held.release();
  assert.equal(connections.isFullFor('noisy'), false);
  const finishNext = await queueFor(connections, 1);
  assert.equal(connections.isFullFor('noisy'), true);
  assert.equal(await finishNext(), 0);
  const finishLast = await queueFor(connections, 2);
  assert.equal(connections.isFullFor('noisy'), true);
  assert.equal(await finishLast(), 1, 'cut to one for the connection');
});
