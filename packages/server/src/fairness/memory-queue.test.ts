import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Holder } from './memory-pool.ts';
import { type Lease, MemoryQueue } from './memory-queue.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, partMax: 1 })) as [
  Holder,
  Holder,
  Holder,
  Holder,
];

/** Makes a queue of 100 bytes that records who got memory after a wait, and who was refused. */
function queueOf100() {
  const queue = new MemoryQueue(100);
  const granted: string[] = [];
  const refused: string[] = [];
  const leases: Lease[] = [];
  const wait = (bytes: number, holder: Holder) =>
    queue.wait(bytes, holder, {
      waitMs: 60_000,
      onGrant: (lease) => {
        granted.push(holder.name);
        leases.push(lease);
      },
      onRefusal: () => refused.push(holder.name),
    });
  const take = (bytes: number, holder: Holder): Lease => {
    const lease = queue.tryTake(bytes, holder);
    assert(lease !== undefined);
    return lease;
  };
  return { queue, granted, refused, wait, take, releaseGranted: () => leases.shift()?.release() };
}

test('memory goes to the holder that was served the longest time ago, even if another has waited for longer', () => {
  const { granted, wait, take, releaseGranted } = queueOf100();
  const [first] = [take(40, a), take(30, b), take(30, c)];
  wait(30, b);
  wait(40, a);
  first.release();
  assert.deepEqual(granted, ['a']);
  releaseGranted();
  assert.deepEqual(granted, ['a', 'b']);
});

test('a newcomer gets memory before the holder that was served last, and after all others', () => {
  const { queue, granted, wait, take, releaseGranted } = queueOf100();
  const [first] = [take(50, a), take(50, b)];
  for (const holder of [b, c, a]) wait(50, holder);
  assert.equal(queue.waiting, 3);
  first.release();
  releaseGranted();
  releaseGranted();
  assert.deepEqual(granted, ['a', 'c', 'b']);
  assert.equal(queue.waiting, 0);
});

test('a holder that has given all its memory back is a newcomer', () => {
  const { granted, wait, take, releaseGranted } = queueOf100();
  take(10, a).release();
  const [second] = [take(50, b), take(50, c)];
  wait(50, a);
  wait(50, b);
  second.release();
  releaseGranted();
  assert.deepEqual(granted, ['b', 'a']);
});

test('a holder that has given back only a part keeps its turn', () => {
  const { granted, wait, take } = queueOf100();
  const [part] = [take(10, a), take(30, a)];
  const [second] = [take(30, b), take(30, c)];
  part.release();
  wait(40, b);
  wait(40, a);
  second.release();
  assert.deepEqual(granted, ['a']);
});

test('a later request overtakes none that waits for room, unless its holder was served before the other', () => {
  const { queue, wait, take } = queueOf100();
  take(60, a);
  take(20, b);
  wait(50, c);
  assert.equal(queue.tryTake(10, b), undefined, 'b was served after c came');
  assert.equal(queue.tryTake(10, d), undefined, 'c was the first newcomer');
  take(10, a);
});

test('one that waits only for its share is overtaken, but not by the same holder', () => {
  const { queue, granted, wait, take } = queueOf100();
  const half: Holder = { name: 'half', partMax: 1 / 2 };
  const own = take(40, half);
  take(10, a);
  wait(20, half);
  take(10, a);
  assert.equal(queue.tryTake(5, half), undefined);
  assert.deepEqual(granted, []);
  own.release();
  assert.deepEqual(granted, ['half']);
  take(5, half);
});

test('while the next in turn waits for room, nobody behind it gets memory', () => {
  const { granted, wait, take } = queueOf100();
  const [first] = [take(20, a), take(40, b), take(40, c)];
  wait(80, a);
  wait(10, b);
  first.release();
  assert.deepEqual(granted, []);
});

test('when a thousand wait, a holder that does not wait yet may add one', async () => {
  const { queue, refused, wait, take } = queueOf100();
  take(100, a);
  const leaves = Array.from({ length: 1_000 }, () => wait(1, a));
  leaves.push(wait(1, b), wait(1, b), wait(1, a));
  await Promise.resolve();
  assert.deepEqual(refused, ['b', 'a']);
  assert.equal(queue.waiting, 1_001);
  for (const leave of leaves) leave();
  assert.equal(queue.waiting, 0);
});
