import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryPool } from './memory-pool.ts';

const senders = 300_000;

/** An entry for each sender would take more than twice this. */
const heapBytesMax = 10 * 1024 * 1024;

test('senders that have given everything back are forgotten', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const pool = new MemoryPool(100);
  const before = heapBytes();
  for (let sender = 0; sender < senders; sender += 1) {
    const holder = { name: `sender ${sender}`, partMax: 1 / 2 };
    assert.ok(pool.tryTake(50, holder));
    pool.give(50, holder);
  }
  const grown = heapBytes() - before;
  assert.ok(grown < heapBytesMax, `${grown} bytes more`);
  assert.equal(pool.taken, 0);
});
