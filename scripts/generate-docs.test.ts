import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './testing/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Copies everything that the generators read and write, so that a test can change it. */
function copyOfTheProject(t: TestContext): string {
  const folder = temporaryFolder(t);
  const isSource = (path: string) => !/[\\/](node_modules|dist)$/.test(path);
  for (const name of [
    'packages',
    'examples',
    'scripts',
    'docs',
    'bench/results',
    'README.md',
    'package.json',
    'biome.json',
  ]) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

function generate(cwd: string, ...flags: readonly string[]) {
  const args = ['--conditions=fieldroster-source', 'scripts/generate-docs.ts', ...flags];
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
}

test('--check reports files that were changed by hand or left over, and a run without it corrects them', (t) => {
  const folder = copyOfTheProject(t);
  const changed = [
    'docs/errors.md',
    'packages/client/src/generated/query-user.ts',
    'examples/bruno/query-user.bru',
    'examples/postman/fieldroster.postman_collection.json',
  ];
  const texts = changed.map((path) => readFileSync(join(folder, path), 'utf8'));
  const leftOver = ['packages/client/src/generated/gone.ts', 'examples/bruno/gone.bru'];
  for (const path of [...changed, ...leftOver]) writeFileSync(join(folder, path), 'changed');
  const check = generate(folder, '--check');
  assert.equal(check.status, 1);
  for (const path of [...changed, ...leftOver])
    assert.ok(`${check.stdout}${check.stderr}`.includes(path), path);

  assert.equal(generate(folder).status, 0);
  const written = changed.map((path) => readFileSync(join(folder, path), 'utf8'));
  assert.deepEqual(written, texts);
  for (const path of leftOver) assert.equal(existsSync(join(folder, path)), false, path);
});
