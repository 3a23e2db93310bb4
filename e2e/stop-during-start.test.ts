import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { fieldrosterCommand } from './fieldroster-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-start-'));
after(() => rmSync(folder, { recursive: true }));

/** Starts the command, below other programs if they are given. */
function start(words: readonly string[], below: readonly string[] = []): ChildProcess {
  const { program, args, options } = fieldrosterCommand(words);
  const [first = program, ...others] = [...below, program, ...args];
  return spawn(first, others, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Returns the process that another one started, as soon as there is one. */
async function startedBy({ pid }: ChildProcess): Promise<number> {
  for (;;) {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    if (first) return Number(first);
    await nextIteration();
  }
}

/** Reads the log up to a message, and returns its fields. */
async function readUntil(log: AsyncIterator<string>, message: string): Promise<{ readonly url: string }> {
  for (;;) {
    const { done, value } = await log.next();
    assert.ok(done !== true, `the log ended without the line '${message}'`);
    const line = JSON.parse(value);
    if (line.msg === message) return line;
  }
}

/** Starts the program below it as the first process of a namespace of processes, as a container does. */
const asFirstProcess = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];

describe('a stop during the start', { timeout: 240_000 }, () => {
  test('ends the first process of a container even while it waits for its database', async (t) => {
    if (spawnSync('unshare', [...asFirstProcess.slice(1), 'true']).status !== 0)
      return t.diagnostic('NOT TESTED: this user may not make a namespace of processes, as a container has');
    const nowhere = ['--database', 'postgres://nobody@127.0.0.1:1/nothing', '--wait-for-database', '600'];
    const container = start(['serve', '--port', '0', ...nowhere], asFirstProcess);
    t.after(() => container.kill('SIGKILL'));
    const ended = once(container, 'close');
    const server = await startedBy(container);
    assert.match(String(await once(container.stdout ?? assert.fail(), 'data')), /waiting for the database/);
    process.kill(server, 'SIGTERM');
    assert.deepEqual(await ended, [143, null]);
  });

  test('leaves no worker behind and prints nothing, even when the first worker has only just been started', async (t) => {
    const supervisor = start(['serve', '--port', '0', '--workers', '2', '--data', join(folder, 'data')]);
    t.after(() => supervisor.kill('SIGKILL'));
    const ended = once(supervisor, 'exit');
    // The streams end when the worker, which has inherited them, ends too.
    const printed = Promise.all([
      text(supervisor.stdout ?? assert.fail()),
      text(supervisor.stderr ?? assert.fail()),
    ]);
    await startedBy(supervisor);
    supervisor.kill('SIGTERM');
    assert.deepEqual(await ended, [null, 'SIGTERM']);
    assert.deepEqual(await printed, ['', '']);
  });

  test('is orderly for a worker that serves, even while others still start', async (t) => {
    const place = ['--port', '0', '--data', join(folder, 'serving'), '--log-format', 'json'];
    const supervisor = start(['serve', ...place, '--workers', '4', '--drain', '10']);
    t.after(() => supervisor.kill('SIGKILL'));
    const ended = once(supervisor, 'exit');
    const lines = createInterface({ input: supervisor.stdout ?? assert.fail() });
    const log = lines[Symbol.asyncIterator]();
    const { url } = await readUntil(log, 'listening');
    await readUntil(log, 'a worker started');
    supervisor.kill('SIGTERM');
    await readUntil(log, 'draining');
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    await readUntil(log, 'stopped');
    assert.deepEqual(await ended, [0, null]);
  });
});
