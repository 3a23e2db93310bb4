import assert from 'node:assert/strict';
import { execFileSync, fork, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanEnvironment, commandPath } from '../../../../scripts/testing/command-under-test.ts';
import { temporaryFolder } from '../../test/run-command.ts';
import { startServe, watchServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const ours = ['--heap-growing-percent', '--max-semi-space-size', '--v8-pool-size', '--disable-sigusr1'];

interface Running {
  readonly pid: number;
  readonly parent: number;
  /** Names of the flags that the process was started with. */
  readonly flags: readonly string[];
  readonly isServer: boolean;
}

function listRunning(): Running[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, ...words] = line.trim().split(/\s+/);
      const flags = words.filter((word) => word.startsWith('--')).map((flag) => flag.replace(/=.*/, ''));
      return { pid: Number(pid), parent: Number(parent), flags, isServer: words.includes('serve') };
    });
}

function runningAs(wanted: number | undefined): Running {
  const running = listRunning().find(({ pid }) => pid === wanted);
  assert.ok(running !== undefined);
  return running;
}

/** Returns the process and all others of the command that it has started, directly or not. */
function family(pid: number | undefined): Running[] {
  const running = listRunning().filter(({ isServer }) => isServer);
  const found = [runningAs(pid)];
  for (const { pid: parent } of found) found.push(...running.filter((other) => other.parent === parent));
  return found;
}

function assertHasOurs({ flags }: Running): void {
  for (const name of ours) assert.equal(flags.filter((flag) => flag === name).length, 1, name);
}

describe('the flags of a server', () => {
  test('apply to the started process, which keeps its id and streams', async () => {
    const server = await startServe(['--data', join(folder, 'one'), '--json']);
    assertHasOurs(runningAs(server.child.pid));
    assert.match(server.output(), /^\{"url":"/);
    assert.equal(await server.stop('SIGINT'), 0);
  });

  test('apply to each worker', async () => {
    const server = await startServe(['--data', join(folder, 'two'), '--workers', '2']);
    const workers = listRunning().filter(({ parent }) => parent === server.child.pid);
    assert.equal(workers.length, 2);
    for (const worker of workers) assertHasOurs(worker);
    assert.equal(await server.stop(), 0);
  });

  test('keep a SIGUSR1, which log rotation sends to other servers, from opening a port for debuggers', async () => {
    const server = await startServe(['--data', join(folder, 'four')]);
    server.child.kill('SIGUSR1');
    while (!(await fetch(`${server.url}/readyz`)).ok) await delay(20);
    assert.equal(await server.stop(), 0);
    assert.doesNotMatch(server.output(), /Debugger/);
  });

  const startFile = join(import.meta.dirname, '../../bin/fieldroster.js');
  for (const [name, command] of [
    ['the command itself', commandPath],
    ['the start file', [startFile]],
  ] as const) {
    // bash opens a high descriptor for <(command), and zsh a low one, which a process that replaces itself would close.
    for (const [source, opening, path, isReplaced] of [
      ['<(command)', '', '<(echo "$TEXT")', true],
      ['a low descriptor', 'exec 11< <(echo "$TEXT"); ', '/dev/fd/11', false],
      ['the first descriptor above the low ones', 'exec 16< <(echo "$TEXT"); ', '/dev/fd/16', false],
      ['the standard input', 'exec < <(echo "$TEXT"); ', '/dev/fd/0', true],
    ] as const) {
      test(`apply to a server and its workers that read the configuration from ${source}, through ${name}`, async () => {
        const TEXT = `port = 0\nworkers = 2\nlog-level = "silent"\ndata = "${join(folder, 'given')}"`;
        const words = [process.execPath, ...command].map((word) => `'${word}'`).join(' ');
        const child = spawn('bash', ['-c', `${opening}exec ${words} serve --config ${path}`], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...cleanEnvironment(), TEXT },
        });
        const server = await watchServe(child);
        const all = family(child.pid);
        const serving = all.filter(({ pid }) => all.filter(({ parent }) => parent === pid).length !== 1);
        assert.equal(serving.length, 3, 'the supervisor and its workers');
        for (const each of serving) assertHasOurs(each);
        assert.equal(all.length === serving.length, isReplaced);
        assert.equal(await server.stop(), 0);
      });
    }
  }

  test('apply to a server whose parent keeps a channel to it', async () => {
    const [main = '', ...flags] = [...commandPath].reverse();
    const child = fork(main, ['serve', '--port', '0', '--data', join(folder, 'channel')], {
      execArgv: flags,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const server = await watchServe(child);
    const last = family(child.pid).at(-1);
    assert.ok(last !== undefined);
    assertHasOurs(last);
    assert.equal(await server.stop(), 0);
  });

  test('do not replace those that the operator has set', async () => {
    const NODE_OPTIONS = '--v8_pool_size=1';
    const server = await startServe(['--data', join(folder, 'three')], { env: { NODE_OPTIONS } });
    const { flags } = runningAs(server.child.pid);
    assert.ok(flags.includes('--max-semi-space-size') && !flags.includes('--v8-pool-size'));
    assert.equal(await server.stop(), 0);
  });
});
