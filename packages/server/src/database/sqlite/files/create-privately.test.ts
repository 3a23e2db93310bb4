import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createPrivately } from './create-privately.ts';
import { lockFile } from './process-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-private-'));
after(() => rmSync(folder, { recursive: true }));

/** Counts the open descriptors of this process; 0 where the system does not list them. */
const openDescriptors = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);

const isRoot = process.getuid?.() === 0;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a file is created for its owner only, and one that others may read keeps its content and loses them', () => {
  const path = join(folder, 'new');
  createPrivately(path);
  assert.equal(modeOf(path), '600');
  writeFileSync(path, 'content');
  chmodSync(path, 0o644);
  const opened = openDescriptors();
  createPrivately(path);
  assert.deepEqual([modeOf(path), readFileSync(path, 'utf8')], ['600', 'content']);
  assert.deepEqual(openDescriptors(), opened);
});

test('a file that cannot be created is an error of creating it', () => {
  const path = join(folder, 'no such folder', 'new');
  assert.throws(() => createPrivately(path), { code: 'ENOENT', syscall: 'open' });
});

test('root leaves the target of a link as it is, and nobody makes a new file by one', () => {
  const [target, link, dangling] = ['target', 'link', 'dangling'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(target, '');
  chmodSync(target, 0o644);
  symlinkSync(target, link);
  createPrivately(link);
  assert.equal(modeOf(target), isRoot ? '644' : '600');
  symlinkSync(join(folder, 'missing'), dangling);
  assert.throws(() => createPrivately(dangling), { code: 'ENOENT' });
  assert.ok(!existsSync(join(folder, 'missing')));
});

test('anybody else makes the target of their link private, also where users have no numbers', (t) => {
  const [target, link] = [join(folder, 'elsewhere'), join(folder, 'to elsewhere')];
  writeFileSync(target, '');
  symlinkSync(target, link);
  const { getuid } = process;
  t.after(() => Object.assign(process, { getuid }));
  for (const stand of [() => 1_000, undefined]) {
    Object.assign(process, { getuid: stand });
    chmodSync(target, 0o644);
    createPrivately(link);
    assert.equal(modeOf(target), '600');
  }
});

test('what is not a file keeps its mode, at least from root', () => {
  const path = mkdtempSync(join(folder, 'folder-'));
  chmodSync(path, 0o755);
  createPrivately(path);
  assert.equal(modeOf(path), isRoot ? '755' : '600');
});

test('a file with two names is made private for the owner of its folder', () => {
  const [path, other] = [join(folder, 'one'), join(folder, 'other')];
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  linkSync(path, other);
  createPrivately(path);
  assert.equal(modeOf(other), '600');
});

test('a hard link to a file of somebody other than the owner of the folder leaves the mode of that file alone', () => {
  const [path, other] = [join(folder, 'theirs'), join(folder, 'linked')];
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  linkSync(path, other);
  // Only root can give a file away; for anybody else this is a file of their own.
  if (isRoot) chownSync(path, 65_534, 65_534);
  createPrivately(other);
  assert.equal(modeOf(path), isRoot ? '644' : '600');
  // With one name only, it can be no other file.
  rmSync(path);
  createPrivately(other);
  assert.equal(modeOf(other), '600');
});

test('the locks that this process has on the file stay', () => {
  const path = join(folder, 'locked');
  const lock = lockFile(path);
  createPrivately(path);
  const program = `
    const { lockFile } = await import(${JSON.stringify(new URL('process-lock.ts', import.meta.url).href)});
    console.log(lockFile(${JSON.stringify(path)}) === undefined ? 'held' : 'free');`;
  const words = ['--conditions=fieldroster-source', '--input-type=module', '--eval', program];
  assert.equal(execFileSync(process.execPath, words, { encoding: 'utf8' }), 'held\n');
  lock?.release();
});
