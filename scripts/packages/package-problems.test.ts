import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { packageProblems } from './package-problems.ts';
import { runNpm } from './run-npm.ts';

const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } };

const manifest = {
  name: 'sample',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  files: ['dist'],
  exports,
};

const code = {
  'dist/index.js': 'export const value = 1;\n',
  'dist/index.d.ts': 'export declare const value: 1;\n',
};

function problemsOf(t: TestContext, files: Readonly<Record<string, string>>, other: object = {}) {
  const folder = temporaryFolder(t, { ...files, 'package.json': JSON.stringify({ ...manifest, ...other }) });
  runNpm(folder, 'pack', '--ignore-scripts');
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'none';
  return packageProblems(join(folder, archive));
}

test('a package of modules with their types has no problem', async (t) => {
  assert.deepEqual(await problemsOf(t, code), []);
});

test('a package that is only a command needs no types', async (t) => {
  const command = { 'dist/index.js': '#!/usr/bin/env node\n' };
  assert.deepEqual(await problemsOf(t, command, { exports: undefined, bin: 'dist/index.js' }), []);
});

test('an export that was not packed is found', async (t) => {
  const problems = await problemsOf(t, code, { exports: { ...exports, './more': './dist/more.js' } });
  assert.match(problems.join('\n'), /^sample-1\.0\.0\.tgz: .*dist\/more\.js.*does not exist/m);
});

test('missing types are found, and so are types with missing imports', async (t) => {
  const { 'dist/index.js': script } = code;
  assert.match((await problemsOf(t, { 'dist/index.js': script })).join('\n'), /has no types/);
  const dangling = { ...code, 'dist/index.d.ts': "export * from './gone.js';\n" };
  assert.match((await problemsOf(t, dangling)).join('\n'), /InternalResolutionError .*gone/);
});
