import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBudget } from './body-budget.ts';
import {
  bodyMemoryOf,
  bodyOverheadBytes,
  carriedOutBytesOf,
  type ProcessMemory,
  readProcessMemory,
} from './body-memory.ts';

const mebibyte = 1024 * 1024;
const largestBody = 32 * mebibyte;

const machine: ProcessMemory = {
  constrainedBytes: 0,
  totalBytes: 64 * 1024 * mebibyte,
  heapBytesMax: 4096 * mebibyte,
};

function sumOf(memory: ProcessMemory, processes = 1): number {
  const { smallBytes, largeBytes } = bodyMemoryOf(memory, processes, largestBody);
  return smallBytes + largeBytes;
}

test('a pod of 512 MiB reserves a quarter for bodies, and a quarter of that for small ones', () => {
  const pod = { ...machine, constrainedBytes: 512 * mebibyte };
  assert.deepEqual(bodyMemoryOf(pod, 1, largestBody), {
    smallBytes: 32 * mebibyte,
    largeBytes: 96 * mebibyte,
  });
});

test('worker processes share the memory', () => {
  const pod = { ...machine, constrainedBytes: 1024 * mebibyte };
  assert.equal(sumOf(pod, 4), 64 * mebibyte);
});

test('a control group limit above the memory of the machine is ignored', () => {
  assert.equal(sumOf({ ...machine, constrainedBytes: 2 ** 63, totalBytes: 1024 * mebibyte }), 256 * mebibyte);
});

test('the heap limit counts too, and bodies never get more than 512 MiB', () => {
  assert.equal(sumOf({ ...machine, heapBytesMax: 256 * mebibyte }), 128 * mebibyte);
  assert.equal(sumOf(machine), 512 * mebibyte);
});

test('a body of the largest size always fits, however little memory there is', () => {
  const { smallBytes, largeBytes } = bodyMemoryOf({ ...machine, totalBytes: mebibyte }, 1, largestBody);
  assert.ok(smallBytes >= mebibyte);
  const budget = new BodyBudget({ smallBytes, largeBytes });
  assert.ok(
    budget.tryTakeLarge(largestBody + bodyOverheadBytes, { name: '203.0.113.7', partMax: 1 / 2 }) !==
      undefined,
  );
});

test('the bodies carried out at once have a thirty-second of the memory of the process or of its heap, whichever is less', () => {
  const [roomy, bounded] = [machine, { ...machine, constrainedBytes: 4096 * mebibyte }];
  assert.equal(carriedOutBytesOf(roomy, 1, mebibyte), 128 * mebibyte);
  assert.equal(carriedOutBytesOf({ ...roomy, heapBytesMax: 8192 * mebibyte }, 1, mebibyte), 256 * mebibyte);
  assert.equal(carriedOutBytesOf(bounded, 2, mebibyte), 64 * mebibyte);
  assert.equal(
    carriedOutBytesOf(bounded, 8, largestBody),
    largestBody,
    'one of the largest size always fits',
  );
});

test('the limits of this process can be read', () => {
  const { totalBytes, heapBytesMax } = readProcessMemory();
  assert.ok(totalBytes > 0 && heapBytesMax > 0);
});
