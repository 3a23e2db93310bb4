import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkLockFile } from './check-lock-file.ts';

const integrity = 'sha512-x';

test('a bare checkout of this repository can be installed, and so can what builds its site', () => {
  for (const folder of ['../..', '../../site']) {
    assert.deepEqual(checkLockFile(fileURLToPath(new URL(folder, import.meta.url))), []);
  }
});

test('a download address is found', (t) => {
  const resolved = 'https://registry.example/a.tgz';
  const problems = check(t, { 'node_modules/a': { resolved, integrity } });
  assert.deepEqual(problems, [`node_modules/a: names the server ${resolved}`]);
});

test('an address of a repository is found', (t) => {
  assert.equal(check(t, { 'node_modules/a': { resolved: 'git+ssh://git@example/a.git' } }).length, 1);
});

test('a package without a digest is found', (t) => {
  assert.deepEqual(check(t, { 'node_modules/a': { version: '1.0.0' } }), ['node_modules/a: has no digest']);
});

test('a package for other machines may lack a digest, because the registry may lack the package', (t) => {
  assert.deepEqual(check(t, { 'node_modules/a': { version: '1.0.0', optional: true } }), []);
});

test('a required package that is not locked is found, and so is an optional one', (t) => {
  const a = { integrity, dependencies: { b: '1.0.0' }, optionalDependencies: { 'a-darwin': '1.0.0' } };
  assert.deepEqual(check(t, { 'node_modules/a': a, 'node_modules/b': { integrity } }), [
    'node_modules/a: wants a-darwin, which is not in the lock file',
  ]);
});

test('a required package may be locked in any folder above', (t) => {
  const wants = { integrity, dependencies: { c: '1.0.0' } };
  for (const place of ['', 'node_modules/a/', 'node_modules/a/node_modules/b/']) {
    const packages = { 'node_modules/a': { integrity }, [`${place}node_modules/c`]: { integrity } };
    assert.deepEqual(check(t, { ...packages, 'node_modules/a/node_modules/b': wants }), []);
  }
});

test('a workspace that is not locked, or with other dependencies, is found', (t) => {
  const manifest = { 'packages/a/package.json': JSON.stringify({ dependencies: { b: '2.0.0' } }) };
  const b = { 'node_modules/b': { integrity } };
  assert.deepEqual(check(t, b, manifest), ['packages/a: is not in the lock file; run npm install']);
  const other = { ...b, 'packages/a': { dependencies: { b: '1.0.0' } } };
  assert.deepEqual(check(t, other, manifest), [
    'packages/a: has other dependencies in the lock file; run npm install',
  ]);
});

test('the root’s own dependencies are checked too', (t) => {
  const manifest = { 'package.json': JSON.stringify({ devDependencies: { b: '2.0.0' } }) };
  assert.deepEqual(check(t, { '': {} }, manifest), [
    'the workspace: has other dependencies in the lock file; run npm install',
  ]);
});

test('workspaces and links to them are fine', (t) => {
  const link = { resolved: 'packages/a', link: true };
  assert.deepEqual(check(t, { '': {}, 'packages/a': { version: '1.0.0' }, 'node_modules/a': link }), []);
});

function check(
  t: TestContext,
  packages: Record<string, unknown>,
  files: Record<string, string> = {},
): string[] {
  return checkLockFile(temporaryFolder(t, { 'package-lock.json': JSON.stringify({ packages }), ...files }));
}
