import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract/limits';
import { memoryWarnings } from './memory-warning.ts';

const mebibyte = 1024 * 1024;
const settings = {
  workers: 1,
  bodyBytesMax: limits.bodyBytesMax,
  batchBodyBytesMax: limits.batchBodyBytesMax,
};

const groupOf = (mebibytes: number) => ({
  constrainedBytes: mebibytes * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  heapBytesMax: 512 * mebibyte,
});

test('a control group with too little memory for the largest body is reported', () => {
  assert.deepEqual(memoryWarnings(settings, groupOf(512)), []);
  assert.deepEqual(memoryWarnings(settings, groupOf(256)), [
    'a server process has 256 MiB of memory, and a body of 32 MiB can end one that has less than 512 MiB; give it more',
  ]);
});

test('workers share the memory, and their supervisor needs some of it', () => {
  assert.deepEqual(memoryWarnings({ ...settings, workers: 2 }, groupOf(1128)), []);
  assert.deepEqual(memoryWarnings({ ...settings, workers: 2 }, groupOf(1024)), [
    'a server process has 460 MiB of memory, and a body of 32 MiB can end one that has less than 512 MiB; give it more, or lower --workers',
  ]);
  assert.deepEqual(memoryWarnings({ ...settings, workers: 4 }, groupOf(1024)), [
    'a server process has 230 MiB of memory, and a body of 32 MiB can end one that has less than 512 MiB; give it more, or lower --workers',
  ]);
});

test('a higher limit of batches takes more', () => {
  const highest = { ...settings, batchBodyBytesMax: 256 * mebibyte };
  assert.deepEqual(memoryWarnings(highest, groupOf(1024)), []);
  assert.deepEqual(memoryWarnings(highest, groupOf(512)), [
    'a server process has 512 MiB of memory, and a body of 256 MiB can end one that has less than 960 MiB; give it more, or lower --batch-body-limit',
  ]);
  const other = { ...settings, bodyBytesMax: 64 * mebibyte };
  assert.deepEqual(memoryWarnings(other, groupOf(512)), [
    'a server process has 512 MiB of memory, and a body of 64 MiB can end one that has less than 576 MiB; give it more, or lower --body-limit',
  ]);
});

test('a limit that is as low as a batch needs is not to be lowered', () => {
  const least = {
    ...settings,
    bodyBytesMax: limits.bulkBodyBytesMax,
    batchBodyBytesMax: limits.bulkBodyBytesMax,
  };
  const [warning] = memoryWarnings(least, groupOf(64));
  assert.match(warning ?? '', /; give it more$/);
});
