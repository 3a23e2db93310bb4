import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './testing/temporary-folder.ts';

const script = fileURLToPath(new URL('./ensure-installed.mjs', import.meta.url));

const locked = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };

const pinned = process.platform === 'win32' ? 'node_modules/.bin/node.cmd' : 'node_modules/.bin/node';

/** A fake npm that records how it was called and installs what the lock file asks for. */
const npm = `
const fs = require('node:fs');
fs.writeFileSync('called.txt', process.argv.slice(2).join(' '));
if (process.env.NPM_FAILS) process.exit(1);
fs.mkdirSync(require('node:path').dirname('${pinned}'), { recursive: true });
fs.writeFileSync('${pinned}', '');
fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
console.log('added 1 package');
`;

test('nothing runs if everything is installed as in the lock file', (t) => {
  const { called, status, stderr } = run(t, {
    'node_modules/.package-lock.json': lockOf(locked),
    [pinned]: '',
  });
  assert.deepEqual([called, status, stderr], [undefined, 0, '']);
});

test('npm ci runs on a bare checkout, and prints nothing to standard output', (t) => {
  const { called, status, stdout, stderr } = run(t, {});
  assert.match(called ?? '', /^ci\b/);
  assert.deepEqual([status, stdout], [0, '']);
  assert.match(stderr, /^nothing is installed yet: running npm ci.*\nadded 1 package\n$/);
});

test('npm ci runs when the lock file has another version, or another content', (t) => {
  for (const other of [
    { version: '0.9.0', integrity: 'sha512-a' },
    { version: '1.0.0', integrity: 'sha512-b' },
  ]) {
    const installed = lockOf({ 'node_modules/a': other });
    const { called, stderr } = run(t, { 'node_modules/.package-lock.json': installed, [pinned]: '' });
    assert.match(called ?? '', /^ci\b/);
    assert.match(stderr, /node_modules\/a is not as package-lock.json has it/);
  }
});

test('npm ci runs when the pinned Node.js is missing', (t) => {
  assert.match(run(t, { 'node_modules/.package-lock.json': lockOf(locked) }).called ?? '', /^ci\b/);
});

test('a link to the pinned Node.js that npm has removed is made again, without an installation', (t) => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { optionalDependencies: Record<string, string> };
  const places = Object.keys(optionalDependencies).flatMap((name) => [
    [`node_modules/${name}/bin/node`, ''],
    [`node_modules/${name}/bin/node.exe`, ''],
  ]);
  const installed = { 'node_modules/.package-lock.json': lockOf(locked), ...Object.fromEntries(places) };
  const { called, folder, stderr } = run(t, installed);
  assert.deepEqual([called, stderr], [undefined, '']);
  assert(existsSync(join(folder, pinned)));
});

/** The workspaces of a project in which `scripts` alone wants `tool`. */
const workspaces = {
  'packages/a': { version: '0.1.0', dependencies: { a: '1.0.0' } },
  scripts: { version: '0.1.0', devDependencies: { tool: '1.0.0' } },
  'node_modules/tool': { version: '1.0.0', integrity: 'sha512-tool' },
};

const started = {
  'package-lock.json': lockOf({ ...locked, ...workspaces }),
  'node_modules/.package-lock.json': lockOf({ ...locked, 'packages/a': workspaces['packages/a'] }),
  [pinned]: '',
};

test('npm start installs only what starts the server, and nothing if that is there', (t) => {
  const event = { npm_lifecycle_event: 'prestart' };
  const bare = run(t, { 'package-lock.json': started['package-lock.json'] }, event);
  assert.match(bare.called ?? '', /^ci .*--workspace=packages --include-workspace-root$/);
  assert.deepEqual([run(t, started, event).called, run(t, started, event).stderr], [undefined, '']);
});

test('npm start installs again when a package of the server is missing or stale', (t) => {
  const event = { npm_lifecycle_event: 'prestart' };
  for (const [present, reason] of [
    [{}, /^node_modules\/a is not installed yet: running npm ci/],
    [
      { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } },
      /^node_modules\/a is not as package-lock\.json has it: running npm ci/,
    ],
  ] as const) {
    const { called, stderr } = run(
      t,
      { ...started, 'node_modules/.package-lock.json': lockOf(present) },
      event,
    );
    assert.match(called ?? '', /^ci /);
    assert.match(stderr, reason);
  }
});

test('the other scripts add what npm start left out, and delete nothing that a server may be using', (t) => {
  const { called, stderr } = run(t, started);
  assert.match(stderr, /^scripts is not installed yet: running npm install/);
  assert.match(called ?? '', /^install --no-save /);
  assert.doesNotMatch(called ?? '', /--workspace/);
});

test('a package for other machines may be missing', (t) => {
  const wanted = lockOf({ ...locked, 'node_modules/b': { version: '1.0.0', optional: true } });
  const files = {
    'package-lock.json': wanted,
    'node_modules/.package-lock.json': lockOf(locked),
    [pinned]: '',
  };
  assert.equal(run(t, files).called, undefined);
});

test('a failure of npm stops the following script', (t) => {
  for (const [files, command] of [
    [{}, 'ci'],
    [started, 'install'],
  ] as const) {
    const { status, stderr } = run(t, files, { NPM_FAILS: '1' });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`npm ${command} failed; its message is above\\n$`));
  }
});

test('a Node.js that is too old gets one line that says so', (t) => {
  const spoof = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } })`;
  const { status, stderr, called } = run(t, {}, { NODE_OPTIONS: `--import="${spoof}"` });
  assert.deepEqual([status, called], [1, undefined]);
  assert.match(stderr, /^Fieldroster needs Node\.js 20 or newer.*\n$/);
});

function lockOf(packages: Record<string, unknown>): string {
  return JSON.stringify({ packages: { '': {}, ...packages } });
}

function run(t: TestContext, files: Record<string, string>, environment: Record<string, string> = {}) {
  const folder = temporaryFolder(t, { 'package-lock.json': lockOf(locked), 'npm.cjs': npm, ...files });
  const env = { PATH: process.env.PATH, npm_execpath: join(folder, 'npm.cjs'), ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const record = join(folder, 'called.txt');
  const called = existsSync(record) ? readFileSync(record, 'utf8') : undefined;
  return { status, stdout, stderr, called, folder };
}

test('the shell that installs runs nothing else: it may have looked for node before the pinned one was there', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const installing = Object.values(scripts).filter((command) => command.includes('ensure-installed'));
  assert.deepEqual([...new Set(installing)], ['node scripts/ensure-installed.mjs']);
  for (const name of Object.keys(scripts).filter((name) => !name.startsWith('pre')))
    assert(`pre${name}` in scripts, `${name} installs nothing first`);
});
