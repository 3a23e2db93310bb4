import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { watchServe } from '../../packages/cli/test/serve-process.ts';
import { linkDependencies } from '../../scripts/testing/link-dependencies.ts';
import { repositoryRoot } from '../fieldroster-command.ts';
import { copiedFiles, listContext, readStages } from './dockerfile-stages.ts';

// No engine builds the image here: the stages' own commands run in folders that hold what the Dockerfile copies.

const [build, final] = readStages(readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8'));
assert(build !== undefined && final !== undefined);
const context = listContext(repositoryRoot);
const folder = mkdtempSync(join(tmpdir(), 'fieldroster-image-'));
const app = join(folder, 'build');
after(() => rmSync(folder, { recursive: true }));

test('npm ci finds the file of every workspace, without which it leaves out what that workspace needs', () => {
  const upToInstall = build.instructions.slice(
    0,
    build.instructions.findIndex(({ keyword, rest }) => keyword === 'RUN' && rest.startsWith('npm ci')),
  );
  const copied = upToInstall
    .filter(({ keyword }) => keyword === 'COPY')
    .flatMap((copy) => copiedFiles(copy, context));
  const { workspaces } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  const wanted = globSync(
    workspaces.map((workspace: string) => `${workspace}/package.json`),
    { cwd: repositoryRoot },
  );
  assert.deepEqual(
    copied.map(([, to]) => to).toSorted(),
    ['package.json', 'package-lock.json', ...wanted].toSorted(),
  );
});

test('the image is built from what it copies, and serves the interface, its reference and the console', async () => {
  for (const copy of build.instructions.filter(({ keyword }) => keyword === 'COPY')) {
    for (const [from, to] of copiedFiles(copy, context)) cpSync(join(repositoryRoot, from), join(app, to));
  }
  // Stands in for npm ci.
  linkDependencies(repositoryRoot, app);
  for (const { rest } of build.instructions.filter(({ keyword }) => keyword === 'RUN')) {
    if (!rest.startsWith('npm ci')) run(rest, app);
  }
  const image = join(folder, 'image');
  for (const { rest } of final.instructions.filter(({ rest }) => rest.startsWith('--from=build '))) {
    const [target = '.', ...sources] = rest.split(' ').slice(1).toReversed();
    for (const source of sources) copyFromBuild(source, join(image, target));
  }
  const entry = JSON.parse(final.instructions.find(({ keyword }) => keyword === 'ENTRYPOINT')?.rest ?? '[]');
  assert.deepEqual(entry, ['node', '/app/dist/main.js']);
  const words = [join(image, 'dist/main.js'), 'serve', '--port', '0', '--data', join(folder, 'data')];
  const server = await watchServe(spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] }));
  while (!(await fetch(`${server.url}/readyz`)).ok) await delay(20);
  for (const path of ['/docs', '/console']) {
    assert.equal((await fetch(`${server.url}${path}`)).status, 200, path);
  }
  assert.equal(await server.stop(), 0);
});

/** Copies a file into the folder, or a folder under its new name. */
function copyFromBuild(source: string, target: string): void {
  const from = join(app, source.replace(/^\/app\//, ''));
  const isFile = /\/(package\.json|LICENSE|THIRD-PARTY-NOTICES)$/.test(source);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, isFile ? join(target, source.split('/').at(-1) ?? '') : target, { recursive: true });
}

function run(command: string, cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command.replace(/^node /, `${process.execPath} `), {
    cwd,
    shell: true,
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${command}:\n${stdout}${stderr}`);
}
