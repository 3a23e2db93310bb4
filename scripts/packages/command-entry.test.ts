import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandEntry } from './command-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-entry-'));
after(() => rmSync(folder, { recursive: true }));

const manifest = new URL('../../packages/cli/package.json', import.meta.url);
const { engines } = JSON.parse(readFileSync(manifest, 'utf8'));
const entry = join(folder, 'main.mjs');
writeFileSync(entry, commandEntry(engines.node, './command.mjs'));

/** Runs the entry in a Node.js that looks like one of that version. */
function runAs(version: string) {
  const source = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' });`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(source)}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, entry, 'a'], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('an old Node.js is told in one line which version the command needs, and loads nothing of it', () => {
  writeFileSync(join(folder, 'command.mjs'), "import { newerThanThis } from 'node:util';");
  for (const version of ['20.20.2', '24.6.0']) {
    assert.deepEqual(runAs(version), {
      status: 1,
      stdout: '',
      stderr: `fieldroster: needs Node.js 24.7 or newer, and ${process.execPath} is v${version}; install a newer one, or start it with another\n`,
    });
  }
});

test('a Node.js that is new enough runs the command with its words', () => {
  writeFileSync(join(folder, 'command.mjs'), 'console.log(process.argv.slice(2).join());');
  for (const version of ['24.7.0', '26.0.0'])
    assert.deepEqual(runAs(version), { status: 0, stdout: 'a\n', stderr: '' });
});

test('a range that the entry cannot check fails the build', () => {
  assert.throws(() => commandEntry('^24', './command.mjs'), /must be like ">=24\.7"/);
});
