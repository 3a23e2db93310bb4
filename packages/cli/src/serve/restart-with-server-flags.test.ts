import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const ours = ['--heap-growing-percent', '--max-semi-space-size', '--v8-pool-size', '--disable-sigusr1'];

interface Running {
  readonly pid: number;
  readonly parent: number;
  /** Names of the flags that the process was started with. */
  readonly flags: readonly string[];
}

function listRunning(): Running[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, ...words] = line.trim().split(/\s+/);
      const flags = words.filter((word) => word.startsWith('--')).map((flag) => flag.replace(/=.*/, ''));
      return { pid: Number(pid), parent: Number(parent), flags };
    });
}

function runningAs(wanted: number | undefined): Running {
  const running = listRunning().find(({ pid }) => pid === wanted);
  assert.ok(running !== undefined);
  return running;
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

  test('do not replace those that the operator has set', async () => {
    const NODE_OPTIONS = '--v8_pool_size=1';
    const server = await startServe(['--data', join(folder, 'three')], { env: { NODE_OPTIONS } });
    const { flags } = runningAs(server.child.pid);
    assert.ok(flags.includes('--max-semi-space-size') && !flags.includes('--v8-pool-size'));
    assert.equal(await server.stop(), 0);
  });
});
