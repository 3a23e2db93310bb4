import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Logger } from '../logging/logger.ts';
import type { WorkerMessage } from './messages.ts';
import { superviseWorkers } from './supervise-workers.ts';
import type { SupervisedWorkers } from './supervised-workers.ts';

const workers = 2;

// The supervisor sets it too, but Node.js keeps what it is when `setupPrimary` is called first.
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** Those that have started and not ended, the eldest first. */
const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** The configuration of each worker that has started. */
const configurations = new WeakMap<Worker, string>();

cluster.on('message', (worker, { kind, url }: WorkerMessage & { readonly url?: string }) => {
  if (kind === 'ready') configurations.set(worker, new URL(url ?? '').pathname.slice(1));
});

/** Those that have started and not ended; one that still starts is `undefined`. */
const livingConfigurations = () => living().map((worker) => configurations.get(worker));

/** Kills a worker, and resolves with its replacement once that serves. */
async function killAndReplace(dying: Worker | undefined): Promise<Worker> {
  assert.ok(dying !== undefined);
  const replaced = once(cluster, 'fork');
  dying.process.kill('SIGKILL');
  const [replacement] = (await replaced) as [Worker];
  await once(replacement, 'message');
  return replacement;
}

/** Lets workers that are forked from now on end when they are to start with one of these configurations. */
function refuse(...refused: readonly string[]): void {
  cluster.setupPrimary({
    exec: join(import.meta.dirname, '../../test/obedient-worker.ts'),
    args: [...refused],
    cwd: process.cwd(),
  });
}

async function killAll(): Promise<void> {
  const dying = living();
  for (const worker of dying) worker.process.kill('SIGKILL');
  await Promise.all(dying.map((worker) => once(worker, 'exit')));
}

async function untilServing(expected: readonly string[]): Promise<void> {
  while (!isDeepStrictEqual(livingConfigurations(), expected)) await nextIteration();
}

/** Kills a worker, and its replacement before that has started. Returns the first one. */
async function killWithReplacement(): Promise<Worker> {
  const [dying] = living();
  assert.ok(dying !== undefined);
  const failed = once(cluster, 'fork');
  dying.process.kill('SIGKILL');
  const [replacement] = (await failed) as [Worker];
  replacement.process.kill('SIGKILL');
  await once(replacement, 'exit');
  return dying;
}

test('the last worker closes the port once its supervisor, which accepts nothing, holds it no more', async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../../test/last-on-port.ts') });
  const settings = {
    workers: 1,
    host: '127.0.0.1',
    port: 0,
    metrics: '',
    consoleListen: '',
    waitForDatabaseSeconds: 0,
  };
  const supervisor = await superviseWorkers(settings, new Logger('silent', () => {}));
  const [last] = living();
  assert.ok(last !== undefined);
  const ended = once(last, 'exit');
  await supervisor.stop();
  assert.deepEqual(await ended, [0, null]);
});

test('workers go on while their supervisor may open no more files, and it replaces the dead one once it may', async () => {
  const program = join(import.meta.dirname, '../../test/starved-supervisor.ts');
  const words = ['-c', 'ulimit -n 60; exec "$0" "$@"', process.execPath, ...process.execArgv, program];
  const child = spawn('bash', words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(errors, '');
  const { left, again, log } = JSON.parse(printed);
  assert.deepEqual([left, again], [1, 2]);
  assert.match(
    log[1].reason,
    /^a worker could not be started: this process may open no more files; raise the limit of open files/,
  );
});

test('a first worker that the system does not start is reported, and nothing stays', async () => {
  cluster.setupPrimary({
    exec: join(import.meta.dirname, '../../test/obedient-worker.ts'),
    cwd: join(import.meta.dirname, 'no-such-folder'),
  });
  const settings = {
    ...{ workers: 2, host: '127.0.0.1', port: 0, metrics: '127.0.0.1:0', consoleListen: '' },
    waitForDatabaseSeconds: 0,
  };
  await assert.rejects(superviseWorkers(settings, new Logger('silent', () => {})), {
    name: 'ListenError',
    message: /^a worker could not be started: spawn /,
  });
  assert.deepEqual(living(), []);
});

describe('a worker that dies', { timeout: 240_000 }, () => {
  let supervisor: SupervisedWorkers;

  let log: string[];

  const readLog = () =>
    log.map((line) => JSON.parse(line)).map(({ time: _, served_ms: __, ...rest }) => rest);

  beforeEach(async () => {
    log = [];
    refuse();
    const settings = {
      workers,
      host: '127.0.0.1',
      port: 0,
      metrics: '',
      consoleListen: '',
      waitForDatabaseSeconds: 0,
    };
    supervisor = await superviseWorkers(settings, new Logger('warn', (line) => log.push(line)), {
      configuration: { text: 'old', reread: () => 'new' },
    });
    await supervisor.allServing;
  });

  afterEach(async () => {
    await supervisor.stop();
    // A worker that was starting ends later.
    await Promise.all(living().map((worker) => once(worker, 'exit')));
  });

  for (const place of ['first', 'last'] as const) {
    test(`while the workers are replaced leaves as many as before, if it is the ${place}`, async () => {
      const dying = living().at(place === 'first' ? 0 : -1);
      assert.ok(dying !== undefined);
      const died = once(dying, 'exit');
      const restarted = supervisor.restart();
      dying.process.kill('SIGKILL');
      await Promise.all([died, restarted]);
      assert.equal(living().length, workers);
      assert.ok(!living().includes(dying));
    });

    test(`while the workers are replaced leaves none with the earlier settings, if it is the ${place}`, async () => {
      const dying = living().at(place === 'first' ? 0 : -1);
      assert.deepEqual(livingConfigurations(), ['old', 'old']);
      dying?.process.kill('SIGKILL');
      await supervisor.restart();
      await untilServing(['new', 'new']);
    });
  }

  test('with all others, is replaced by one with the settings that a restart has read meanwhile', async () => {
    await killAll();
    await supervisor.restart();
    await untilServing(['new', 'new']);
  });

  test('with all others, when only new settings are of use, is replaced before a restart that reads them ends', async () => {
    refuse('old');
    await killAll();
    await supervisor.restart();
    assert.ok(livingConfigurations().includes('new'));
    await untilServing(['new', 'new']);
  });

  test('with all others, keeps its settings when a restart reads new ones that are of no use', async () => {
    refuse('old', 'new');
    await killAll();
    await assert.rejects(supervisor.restart(), { message: 'new is refused' });
    refuse('new');
    await untilServing(['old', 'old']);
  });

  test('with all others, does not hold up a restart once the supervisor has stopped', async () => {
    refuse('old', 'new');
    await killAll();
    const restarted = supervisor.restart();
    await nextIteration();
    await supervisor.stop();
    await restarted.catch(() => {});
    await supervisor.restart();
  });

  test('does not keep the process alive by a pause before the next replacement once the supervisor has stopped', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await killWithReplacement();
    while (log.length < 2) await nextIteration();
    assert.equal(timers(), before + 1, 'the pause');
    await supervisor.stop();
    assert.equal(timers(), before);
  });

  test('is named in the log, and so is the failure of its replacement', async () => {
    const dying = await killWithReplacement();
    await once(cluster, 'fork');
    assert.deepEqual(readLog(), [
      {
        level: 50,
        pid: dying.process.pid,
        exit_code: null,
        signal: 'SIGKILL',
        msg: 'a worker ended unexpectedly; starting another',
      },
      {
        level: 50,
        replaced_pid: dying.process.pid,
        reason:
          'a worker was killed with SIGKILL before it listened; if no line before this one says why, memory probably ran out: lower --workers or give the machine more',
        pause_ms: 400,
        msg: 'the replacement did not start; trying again',
      },
    ]);
  });

  test('is replaced later if the system starts no process now, and the others go on', async () => {
    cluster.setupPrimary({ cwd: join(import.meta.dirname, 'no-such-folder') });
    const [dying, other] = living();
    dying?.process.kill('SIGKILL');
    while (log.length < 2) await nextIteration();
    assert.deepEqual(living(), [other]);
    const { reason, msg } = readLog()[1];
    assert.equal(msg, 'the replacement did not start; trying again');
    assert.match(reason, /^a worker could not be started: spawn .* ENOENT$/);
    refuse();
    await once(cluster, 'online');
    assert.equal(living().length, workers);
  });

  test('soon after it replaced another is replaced only after a pause, and the log says so', async () => {
    const replacement = await killAndReplace(living()[0]);
    replacement.process.kill('SIGKILL');
    await once(replacement, 'exit');
    assert.equal(living().length, workers - 1, 'nothing starts before the pause is over');
    assert.deepEqual(readLog().at(-1), {
      level: 50,
      pid: replacement.process.pid,
      exit_code: null,
      signal: 'SIGKILL',
      ends_in_a_row: 2,
      pause_ms: 400,
      msg: 'a worker ended unexpectedly, again soon after its start; starting another after a pause',
    });
    await once(cluster, 'fork');
  });

  test('does not lengthen the pause of another one', async () => {
    const [first, second] = living();
    await killAndReplace(first);
    await killAndReplace(second);
    assert.deepEqual(
      readLog().map(({ pause_ms }) => pause_ms),
      [undefined, undefined],
    );
  });

  test('is replaced without the rest of its pause once the workers are told to restart', async () => {
    const replacement = await killAndReplace(living()[0]);
    replacement.process.kill('SIGKILL');
    await once(replacement, 'exit');
    const restarted = supervisor.restart();
    await nextIteration();
    assert.equal(
      living().length,
      workers + 1,
      'the missing one starts, and one that takes the place of the other',
    );
    await restarted;
  });
});
