import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inOrder } from './in-order.ts';

async function* count(to: number, taken: number[] = []): AsyncIterable<number> {
  for (let item = 0; item < to; item++) {
    taken.push(item);
    yield item;
  }
}

test('results come in item order, however the work ends, and concurrency stays within its limit', async () => {
  let underWay = 0;
  let most = 0;
  const results: number[] = [];
  const work = async (item: number) => {
    most = Math.max(most, ++underWay);
    await delay((item * 7) % 5);
    underWay -= 1;
    return item;
  };
  for await (const result of inOrder(count(40), 4, work)) results.push(result);
  assert.deepEqual(
    results,
    Array.from({ length: 40 }, (_, index) => index),
  );
  assert.equal(most, 4);
});

test('a failure is reported after the earlier results, starts no further item, and leaves no work pending', async () => {
  const taken: number[] = [];
  const ended: number[] = [];
  const results: number[] = [];
  const work = async (item: number) => {
    await delay(item === 3 ? 0 : 5);
    if (item === 3) throw new Error('the third');
    ended.push(item);
    return item;
  };
  const reading = async () => {
    for await (const result of inOrder(count(100, taken), 3, work)) results.push(result);
  };
  await assert.rejects(reading, { message: 'the third' });
  assert.deepEqual(results, [0, 1, 2]);
  assert(taken.length < 10);
  assert.deepEqual(
    ended,
    taken.filter((item) => item !== 3),
  );
});
