import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { Logger } from '../logging/logger.ts';
import type { WorkerMessage } from './messages.ts';
import { superviseWorkers } from './supervise-workers.ts';
import type { SupervisedWorkers } from './supervised-workers.ts';

/** A worker may be silent for thirty of these, and take 54 to stop. */
const tickMs = 200;

/** No tick passes during a test, so no worker is killed. */
const neverMs = 2 ** 31 - 1;

// The supervisor sets it too, but Node.js keeps what it is when `setupPrimary` is called first.
cluster.schedulingPolicy = cluster.SCHED_NONE;

const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function useWorkers(
  kind: 'obeys' | 'drains' | 'waits' | 'never starts' | 'never stops' | 'fails to stop',
): void {
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../../test/stubborn-worker.ts'), args: [kind] });
}

describe('a supervisor of workers that hang', { timeout: 240_000 }, () => {
  let supervisor: SupervisedWorkers;
  let log: string[];

  beforeEach(() => {
    log = [];
    useWorkers('obeys');
  });

  afterEach(() => {
    for (const { process: left } of living()) left.kill('SIGKILL');
  });

  async function supervise(ms = tickMs, waitForDatabaseSeconds = 0): Promise<readonly [Worker, Worker]> {
    const settings = {
      ...{ workers: 2, host: '127.0.0.1', port: 0, metrics: '', consoleListen: '' },
      waitForDatabaseSeconds,
    };
    supervisor = await superviseWorkers(settings, new Logger('warn', (line) => log.push(line)), {
      tickMs: ms,
    });
    await supervisor.allServing;
    const [first, second] = living();
    assert.ok(first !== undefined && second !== undefined);
    return [first, second];
  }

  const readLog = () =>
    log
      .map((line) => JSON.parse(line))
      .map(({ level, pid, silent_ms, msg }) => ({ level, pid, silent_ms, msg }));

  /** Resolves once the worker has said something, as it does when it is asked whether it runs. */
  const heard = (worker: Worker) => once(worker, 'message');

  /** Lets ticks pass at once, each as soon as these workers have answered the one before. */
  async function pass(t: TestContext, ticks: number, answering: readonly Worker[]): Promise<void> {
    for (let count = 0; count < ticks; count++) {
      const answered = answering.map(heard);
      t.mock.timers.tick(tickMs);
      await Promise.all(answered);
    }
  }

  const holdTicks = (t: TestContext) => t.mock.timers.enable({ apis: ['setInterval'] });

  test('kills one that has been silent for thirty ticks, says so, and starts another', async (t) => {
    holdTicks(t);
    const [frozen, other] = await supervise();
    const { pid } = frozen.process;
    const ended = once(frozen, 'exit');
    const replaced = once(cluster, 'fork');
    frozen.process.kill('SIGSTOP');
    await pass(t, 30, [other]);
    assert.deepEqual(log, []);
    await pass(t, 1, [other]);
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    const [replacement] = (await replaced) as [Worker];
    await heard(replacement);
    assert.deepEqual(readLog(), [
      { level: 50, pid, silent_ms: 30 * tickMs, msg: 'a worker hangs: it answers nothing; killing it' },
      { level: 50, pid, silent_ms: undefined, msg: 'a worker ended unexpectedly; starting another' },
    ]);
    assert.ok(!other.isDead());
    await supervisor.stop();
  });

  test('does not count the time in which it did not run itself, as in a stopped container', async () => {
    const workers = await supervise();
    await Promise.all(workers.map(heard));
    for (const worker of workers) worker.process.kill('SIGSTOP');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40 * tickMs);
    for (const worker of workers) worker.process.kill('SIGCONT');
    await Promise.all(workers.map(heard));
    assert.deepEqual(log, []);
    assert.deepEqual(living(), workers);
    await supervisor.stop();
  });

  test('kills a replacement that has not started after 600 ticks and its wait for the database, and tries again', async (t) => {
    holdTicks(t);
    const [dying, other] = await supervise(tickMs, 60);
    useWorkers('never starts');
    const forked = once(cluster, 'fork');
    dying.process.kill('SIGKILL');
    const [hanging] = (await forked) as [Worker];
    const { pid } = hanging.process;
    const ended = once(hanging, 'exit');
    await pass(t, 660, [other]);
    log = [];
    assert.ok(!hanging.process.killed);
    useWorkers('obeys');
    const replaced = once(cluster, 'fork');
    await pass(t, 1, [other]);
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    const [replacement] = (await replaced) as [Worker];
    await heard(replacement);
    assert.deepEqual(readLog(), [
      { level: 50, pid, silent_ms: undefined, msg: 'a worker did not start in time; killing it' },
      {
        level: 50,
        pid: undefined,
        silent_ms: undefined,
        msg: 'the replacement did not start; trying again',
      },
    ]);
    assert.ok(!other.isDead());
    await supervisor.stop();
  });

  test('replaces all workers although one hangs', async (t) => {
    holdTicks(t);
    const before = await supervise();
    const [frozen, other] = before;
    frozen.process.kill('SIGSTOP');
    const replaced = once(cluster, 'fork');
    const restarted = supervisor.restart();
    const [replacement] = (await replaced) as [Worker];
    await heard(replacement);
    await pass(t, 31, [other, replacement]);
    await restarted;
    assert.equal(living().length, 2);
    assert.ok(before.every((worker) => worker.isDead()));
    await supervisor.stop();
  });

  test('stops the others at once, while a replacement waits for one that hangs', async () => {
    const [frozen, other] = await supervise(neverMs);
    frozen.process.kill('SIGSTOP');
    const replaced = once(cluster, 'fork');
    const restarted = supervisor.restart();
    const [replacement] = (await replaced) as [Worker];
    await heard(replacement);
    const ended = [once(other, 'exit'), once(replacement, 'exit')];
    const stopped = supervisor.stop();
    await Promise.all(ended);
    assert.deepEqual(living(), [frozen]);
    frozen.process.kill('SIGKILL');
    await Promise.all([stopped, restarted]);
    assert.deepEqual(living(), []);
  });

  test('kills one that answers but does not stop in time, and says so', async (t) => {
    holdTicks(t);
    useWorkers('never stops');
    const workers = await supervise();
    const pids = workers.map((worker) => worker.process.pid);
    const stopped = supervisor.stop();
    await pass(t, 54, workers);
    assert.deepEqual(log, []);
    t.mock.timers.tick(tickMs);
    await stopped;
    assert.deepEqual(living(), []);
    const msg = 'a worker did not stop in time; killing it';
    assert.deepEqual(
      readLog(),
      pids.map((pid) => ({ level: 50, pid, silent_ms: undefined, msg })),
    );
  });

  test('warns of one that fails while it stops, which ends with 1 after its last metrics', async () => {
    useWorkers('fails to stop');
    const workers = await supervise(neverMs);
    const kinds: string[] = [];
    workers[0].on('message', ({ kind }: WorkerMessage) => kinds.push(kind));
    const stopped = supervisor.stop();
    const ended = await Promise.all(workers.map((worker) => once(worker, 'exit')));
    await stopped;
    assert.deepEqual(ended, [
      [1, null],
      [1, null],
    ]);
    assert.deepEqual(kinds, ['metrics']);
    assert.deepEqual(
      readLog().map(({ level, msg }) => [level, msg]),
      Array(2).fill([40, 'a worker failed while it stopped; the lines before this one say why']),
    );
  });

  test('lets one drain for as long as --drain says', async (t) => {
    holdTicks(t);
    useWorkers('drains');
    const workers = await supervise();
    const ended = workers.map((worker) => once(worker, 'exit'));
    const stopped = supervisor.stop();
    await pass(t, 60, workers);
    for (const worker of workers) worker.process.kill('SIGCONT');
    await stopped;
    assert.deepEqual(await Promise.all(ended), [
      [0, null],
      [0, null],
    ]);
    assert.deepEqual(log, []);
  });

  test('kills one that has not started when the time for the stop is over', async (t) => {
    holdTicks(t);
    const ended = (await supervise()).map((worker) => once(worker, 'exit'));
    useWorkers('never starts');
    const forked = once(cluster, 'fork');
    const restarted = assert.rejects(supervisor.restart(), /killed with SIGKILL before it listened/);
    const [hanging] = (await forked) as [Worker];
    const stopped = supervisor.stop();
    await Promise.all(ended);
    t.mock.timers.tick(54 * tickMs);
    assert.deepEqual([living(), hanging.process.killed], [[hanging], false]);
    t.mock.timers.tick(tickMs);
    await stopped;
    assert.deepEqual(living(), []);
    await restarted;
  });

  test('lets one that has not started end at once when all are stopped', async (t) => {
    holdTicks(t);
    await supervise();
    useWorkers('waits');
    const forked = once(cluster, 'fork');
    const restarted = assert.rejects(supervisor.restart(), /ended with code 0 before it listened/);
    const [starting] = (await forked) as [Worker];
    await once(starting, 'online');
    await supervisor.stop();
    assert.deepEqual(living(), []);
    await restarted;
  });
});
