import assert from 'node:assert/strict';
import { test } from 'node:test';
import { availableBytes, readProcessMemory } from './body-memory.ts';

const gibibyte = 1024 * 1024 * 1024;

test('a control group has its limit, unless the machine has less memory', () => {
  const machine = { totalBytes: 8 * gibibyte, heapBytesMax: 4 * gibibyte };
  assert.equal(availableBytes({ ...machine, constrainedBytes: 2 * gibibyte }), 2 * gibibyte);
  assert.equal(availableBytes({ ...machine, constrainedBytes: 2 ** 63 }), 8 * gibibyte);
  assert.equal(availableBytes({ ...machine, constrainedBytes: 0 }), 8 * gibibyte);
});

test('the limits of this process can be read', () => {
  const { totalBytes, heapBytesMax } = readProcessMemory();
  assert.ok(totalBytes > 0 && heapBytesMax > 0);
});
