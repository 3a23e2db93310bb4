import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createPrivately } from './create-privately.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-private-'));
after(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a file is created for its owner only, and one that others may read keeps its content and loses them', () => {
  const path = join(folder, 'new');
  createPrivately(path);
  assert.equal(modeOf(path), '600');
  writeFileSync(path, 'content');
  chmodSync(path, 0o644);
  createPrivately(path);
  assert.deepEqual([modeOf(path), readFileSync(path, 'utf8')], ['600', 'content']);
});

test('a file that cannot be created is an error of creating it', () => {
  const path = join(folder, 'no such folder', 'new');
  assert.throws(() => createPrivately(path), { code: 'ENOENT', syscall: 'open' });
});
