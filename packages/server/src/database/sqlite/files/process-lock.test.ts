import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lockFile } from './process-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-lock-'));
after(() => rmSync(folder, { recursive: true }));

/** A process that takes the lock, says whether it got it, and kills itself. */
const program = `
  const { lockFile } = await import(${JSON.stringify(new URL('process-lock.ts', import.meta.url).href)});
  const lock = lockFile(process.argv[1]);
  process.getBuiltinModule('node:fs').writeSync(1, lock === undefined ? 'held elsewhere' : 'locked');
  process.kill(process.pid, 'SIGKILL');`;

const lockElsewhere = (path: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', program, path], {
    encoding: 'utf8',
  }).stdout;

test('one holder at a time has the lock, in this process or another, until it is released', () => {
  const path = join(folder, 'one');
  const lock = lockFile(path);
  assert.ok(lock !== undefined);
  assert.equal(lockFile(path), undefined);
  assert.equal(lockElsewhere(path), 'held elsewhere');
  lock.release();
  assert.equal(lockElsewhere(path), 'locked');
  const again = lockFile(path);
  assert.ok(again !== undefined, 'the lock of a process that was killed has ended');
  again.release();
});

test('a lock whose file cannot be made is an error, and not held by another process', () => {
  assert.throws(() => lockFile(join(folder, 'no such folder', 'lock')), /unable to open database file/);
  mkdirSync(join(folder, 'a folder'));
  assert.throws(() => lockFile(join(folder, 'a folder')), /unable to open database file/);
});
