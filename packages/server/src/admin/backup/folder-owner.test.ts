import assert from 'node:assert/strict';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceKeyFile } from '../../applications/master-key/replace-key-file.ts';
import { openDirectory } from '../open-directory.ts';
import { addToErasureFile } from './erasure-file.ts';
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

test('the files that root writes into the folder of a server belong to the user of the server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-owner-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = statSync(folder).uid;
  const owner = own === 0 ? 12_345 : own;
  const [key, previous, list] = ['master.key', 'master.key.previous', 'erasures.jsonl'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(key, Buffer.alloc(32).toString('base64'), { mode: 0o600 });
  if (own === 0) for (const path of [folder, key]) chownSync(path, owner, owner);
  replaceKeyFile(folder);
  const erasure = { tenantId: 1n, usernameHash: 'hash', atMs: 0 };
  await addToErasureFile(list, [{ ...erasure, userId: 1n }]);
  await addToErasureFile(list, [{ ...erasure, userId: 2n }]);
  for (const path of [key, previous, list]) {
    const { uid, gid, mode } = statSync(path);
    assert.deepEqual([uid, mode & 0o777], [owner, 0o600], path);
    if (own === 0) assert.equal(gid, owner, path);
  }
});

test('the directory that a command of root makes in an empty folder belongs to the owner of the folder', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-owner-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const own = statSync(data).uid;
  const owner = own === 0 ? 12_345 : own;
  if (own === 0) chownSync(data, owner, owner);
  const ownersOfFiles = () =>
    Object.fromEntries(readdirSync(data).map((name) => [name, statSync(join(data, name)).uid]));
  const { database } = await openDirectory({ data, environment: {} });
  const whileOpen = ownersOfFiles();
  await database.close();
  assert.ok('master.key' in whileOpen && 'fieldroster.db-wal' in whileOpen);
  for (const [name, uid] of Object.entries({ ...whileOpen, ...ownersOfFiles() }))
    assert.equal(uid, owner, name);
});
