import assert from 'node:assert/strict';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { giveDatabaseToFolderOwner } from './folder-owner.ts';

test('root gives the files of a database to the owner of their folder, and leaves a link and its target alone', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'fieldroster-owner-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'data');
  mkdirSync(folder);
  const [target, file] = [join(root, 'elsewhere.db'), join(folder, 'fieldroster.db-wal')];
  for (const path of [target, file]) writeFileSync(path, '');
  symlinkSync(target, join(folder, 'fieldroster.db'));
  const own = statSync(target).uid;
  const owner = own === 0 ? 12_345 : own;
  if (own === 0) chownSync(folder, owner, owner);
  await giveDatabaseToFolderOwner(folder);
  assert.equal(statSync(file).uid, owner);
  assert.equal(statSync(target).uid, own);
});
