import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { HeldFolder, removeTree } from './held-folder.ts';

/** Makes a folder to remove, and one that nothing may be removed from; both have the same names in them. */
function makeFolders(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'fieldroster-held-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [folder, precious] = [join(root, 'folder'), join(root, 'precious')];
  for (const each of [folder, precious]) {
    mkdirSync(join(each, 'inner'), { recursive: true });
    for (const name of ['file', 'kept', 'inner/file']) writeFileSync(join(each, name), '');
  }
  const isWhole = () => ['file', 'kept', 'inner/file'].every((name) => existsSync(join(precious, name)));
  return { root, folder, precious, isWhole };
}

test('a held folder is emptied of everything but one name, and links in it are not followed', (t) => {
  const { folder, precious, isWhole } = makeFolders(t);
  symlinkSync(precious, join(folder, 'inner/link'));
  using held = new HeldFolder(folder);
  held.empty('kept');
  assert.deepEqual(readdirSync(folder), ['kept']);
  assert.ok(isWhole());
});

test('a link in the place of a held folder is not followed', (t) => {
  const { root, folder, precious, isWhole } = makeFolders(t);
  using held = new HeldFolder(folder);
  assert.ok(held.isInPlace());
  renameSync(folder, join(root, 'aside'));
  assert.ok(!held.isInPlace());
  symlinkSync(precious, folder);
  assert.ok(!held.isInPlace());
  if (process.platform === 'linux') {
    held.empty();
    assert.deepEqual(readdirSync(join(root, 'aside')), []);
  } else assert.throws(() => held.empty(), { message: `${folder} was moved or replaced` });
  assert.ok(isWhole());
});

test('a link is not held as the folder that it leads to', (t) => {
  const { root, precious } = makeFolders(t);
  symlinkSync(precious, join(root, 'link'));
  assert.throws(() => new HeldFolder(join(root, 'link')), { code: /^(ENOTDIR|ELOOP)$/ });
});

test('a tree, a file, and a link are removed, and nothing is if there is nothing', (t) => {
  const { root, folder, precious, isWhole } = makeFolders(t);
  const [file, link] = [join(root, 'file'), join(root, 'link')];
  writeFileSync(file, '');
  symlinkSync(precious, link);
  for (const path of [folder, file, link, join(root, 'nothing')]) removeTree(path);
  assert.deepEqual(readdirSync(root), ['precious']);
  assert.ok(isWhole());
});
