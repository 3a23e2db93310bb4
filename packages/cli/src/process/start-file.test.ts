import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { reservePort } from '../../../server/test/reserve-port.ts';
import { collect, temporaryFolder } from '../../test/run-command.ts';
import { watchServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const bundle = process.env.FIELDROSTER_TEST_COMMAND;
const startFile = join(import.meta.dirname, '../../bin/fieldroster.js');

/** Makes the running Node.js look like one that cannot replace its own process. */
const withoutExecve = ['--import', 'data:text/javascript,process.execve = undefined'];

/** The same, but also too old. */
const old =
  "process.execve = undefined; Object.defineProperty(process, 'versions', { value: { node: '18.19.0' } })";
const asOld = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];

/** A workspace whose source is the command that `npm test` has bundled, which starts in a third of the time. */
const quickStartFile = bundle ? makeWorkspace(bundle) : startFile;

function makeWorkspace(command: string): string {
  const workspace = join(folder, 'workspace');
  for (const path of ['src', 'node_modules/.bin']) mkdirSync(join(workspace, path), { recursive: true });
  writeFileSync(join(workspace, 'package.json'), '{"type":"module"}');
  writeFileSync(join(workspace, 'src/main.ts'), `import ${JSON.stringify(pathToFileURL(command).href)};\n`);
  symlinkSync(process.execPath, join(workspace, 'node_modules/.bin/node'));
  const copy = join(workspace, 'bin/fieldroster.js');
  cpSync(startFile, copy);
  return copy;
}

function start(flags: readonly string[], words: readonly string[], file = startFile): ChildProcess {
  return spawn(process.execPath, [...flags, file, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
}

const serve = (data: string, port = 0) => [
  'serve',
  '--port',
  String(port),
  '--log-level',
  'silent',
  '--data',
  join(folder, data),
];

const manners = {
  'replacing its process': [],
  'starting another one': withoutExecve,
  'as an old Node.js': asOld,
};

describe('the start file', () => {
  for (const [manner, flags] of Object.entries(manners)) {
    test(`passes words and exit code on, ${manner}`, async () => {
      // Once, the command runs from this workspace's own source.
      const file = flags === manners['replacing its process'] ? startFile : quickStartFile;
      const help = await collect(start(flags, ['--help'], file));
      assert.deepEqual([help.exitCode, help.stderr], [0, '']);
      assert.match(help.stdout, /^Usage: fieldroster/);
      // Neither command loads the server, which takes most of the time of those that do.
      assert.equal((await collect(start(flags, ['explain'], file))).exitCode, 2);
      const unreachable = ['--url', 'http://127.0.0.1:1', '--app-id', 'a', '--app-secret', 's'];
      assert.equal((await collect(start(flags, ['user', 'list', ...unreachable], file))).exitCode, 1);
    });

    test(`passes signals on, ${manner}`, async () => {
      // A process that has replaced itself receives its signals directly.
      const signals = flags === withoutExecve ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const);
      for (const signal of signals) {
        const server = await watchServe(start(flags, serve('signals'), quickStartFile));
        assert.equal(await server.stop(signal), 0);
      }
    });

    test(`leaves no server behind when it is killed, ${manner}`, async () => {
      const server = await watchServe(start(flags, serve('killed', await reservePort()), quickStartFile));
      assert.equal((await fetch(server.url)).status, 404);
      server.child.kill('SIGKILL');
      await once(server.child, 'exit');
      await untilRefused(server.url);
    });
  }

  // zsh opens a low descriptor for <(command), and Node.js closes those in a process that replaces itself.
  for (const [name, flags, file] of [
    ['the start file', [], startFile],
    ['the command itself', ['--conditions=fieldroster-source'], join(import.meta.dirname, '../main.ts')],
  ] as const) {
    for (const words of [['config', 'check'], serve('descriptor')]) {
      test(`a configuration that a low descriptor gives is read by ${words[0]}, through ${name}`, async () => {
        const read = [...words, '--config', '/dev/fd/11'].map((word) => `'${word}'`).join(' ');
        const nodeFlags = flags.join(' ');
        const script = `exec 11< <(echo 'host = "nowhere.invalid"'); exec '${process.execPath}' ${nodeFlags} '${file}' ${read}`;
        const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
        const { stdout, stderr } = await collect(child);
        assert.match(stdout + stderr, /nowhere\.invalid/);
        assert.doesNotMatch(stderr, /ENXIO|cannot be read|does not exist/);
      });
    }
  }

  for (const [manner, flags] of Object.entries(manners)) {
    test(`leaves it to the command to refuse a configuration from a descriptor that is not open, ${manner}`, async () => {
      const words = ['config', 'check', '--config', '/dev/fd/99'];
      const { exitCode, stdout, stderr } = await collect(start(flags, words, quickStartFile));
      assert.match(
        stdout + stderr,
        /^fieldroster: --config or FIELDROSTER_CONFIG names \/dev\/fd\/99, which does not exist; [^\n]+\n$/m,
      );
      assert.equal(exitCode, 1);
    });
  }

  test('says in one line which version it needs if it cannot hand over to another', async () => {
    const lonely = join(folder, 'lonely', 'bin', 'fieldroster.js');
    cpSync(startFile, lonely);
    writeFileSync(join(folder, 'lonely', 'package.json'), '{"type":"module"}');
    const { exitCode, stdout, stderr } = await collect(start(asOld, ['--help'], lonely));
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, /^fieldroster: needs Node\.js 24\.7 or newer, and this is v[\d.]+; [^\n]+\n$/);
  });

  test('as published, runs its own code, or hands it to the Node.js that is installed beside it', async () => {
    const root = join(folder, 'published');
    const published = join(root, 'node_modules', 'fieldroster', 'bin', 'fieldroster.js');
    cpSync(startFile, published);
    mkdirSync(join(root, 'node_modules', 'fieldroster', 'dist'));
    writeFileSync(join(root, 'node_modules', 'fieldroster', 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(root, 'node_modules', 'fieldroster', 'dist', 'main.js'),
      'console.log(process.argv.slice(2).join(), process.versions.node)',
    );
    assert.equal((await collect(start([], ['a', 'b'], published))).stdout, `a,b ${process.versions.node}\n`);
    mkdirSync(join(root, 'node_modules', 'node', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(root, 'node_modules', 'node', 'bin', 'node'));
    assert.equal(
      (await collect(start(asOld, ['a', 'b'], published))).stdout,
      `a,b ${process.versions.node}\n`,
    );
  });

  test('in a workspace that was built and then pruned, runs what was built', async () => {
    const pruned = join(folder, 'pruned');
    for (const path of ['bin', 'src', 'dist']) mkdirSync(join(pruned, path), { recursive: true });
    cpSync(startFile, join(pruned, 'bin/fieldroster.js'));
    writeFileSync(join(pruned, 'package.json'), '{"type":"module"}');
    writeFileSync(join(pruned, 'src/main.ts'), `import 'commander'; console.log('source');`);
    writeFileSync(join(pruned, 'dist/main.js'), `console.log('built', process.argv.slice(2).join());`);
    const run = () => collect(start([], ['a', 'b'], join(pruned, 'bin/fieldroster.js')));
    assert.deepEqual(await run(), { exitCode: 0, stdout: 'built a,b\n', stderr: '' });
    mkdirSync(join(pruned, 'node_modules/commander'), { recursive: true });
    writeFileSync(join(pruned, 'node_modules/commander/index.js'), '');
    assert.equal(
      (await run()).stdout,
      'source\n',
      'where all packages are installed, the source comes first',
    );
  });
});

/** Waits until nobody listens any more: a server that outlives the process that was killed fails its test in the end. */
async function untilRefused(url: string): Promise<void> {
  while (
    await fetch(url).then(
      () => true,
      () => false,
    )
  )
    await delay(20);
}
