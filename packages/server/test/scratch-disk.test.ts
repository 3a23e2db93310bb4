import assert from 'node:assert/strict';
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchDisk } from './scratch-disk.ts';

test('files that need not outlive the machine are in memory only where it has room for them', () => {
  const inMemory = '/dev/shm';
  const hasMemory = existsSync(inMemory) && statfsSync(inMemory).type === 0x01021994;
  assert.equal(scratchDisk({ inMemory, neededBytes: 0 }), hasMemory ? inMemory : tmpdir());
  assert.equal(scratchDisk({ inMemory, neededBytes: Number.POSITIVE_INFINITY }), tmpdir());
});

test('a folder that is missing, or on another file system, is not taken for memory', () => {
  for (const inMemory of [join(tmpdir(), 'fieldroster-none'), '/proc'])
    assert.equal(scratchDisk({ inMemory, neededBytes: 0 }), tmpdir());
});
