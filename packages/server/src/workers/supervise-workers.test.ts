import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '../logging/logger.ts';
import { type SupervisedWorkers, superviseWorkers } from './supervise-workers.ts';

const workers = 2;

/** Those that have started and not ended, the eldest first. */
const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

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

describe('a worker that dies', { timeout: 60_000 }, () => {
  let supervisor: SupervisedWorkers;

  let log: string[];

  beforeEach(async () => {
    log = [];
    cluster.setupPrimary({ exec: join(import.meta.dirname, '../../test/obedient-worker.ts') });
    const settings = { workers, host: '127.0.0.1', port: 0, metrics: '', consoleListen: '' };
    supervisor = await superviseWorkers(settings, new Logger('warn', (line) => log.push(line)));
  });

  afterEach(() => supervisor.stop());

  for (const place of ['first', 'last'] as const) {
    test(`while the workers are replaced leaves as many as before, if its turn is the ${place}`, async () => {
      const dying = living().at(place === 'first' ? 0 : -1);
      assert.ok(dying !== undefined);
      const died = once(dying, 'exit');
      const restarted = supervisor.restart();
      dying.process.kill('SIGKILL');
      await Promise.all([died, restarted]);
      assert.equal(living().length, workers);
      assert.ok(!living().includes(dying));
    });
  }

  test('does not keep the process alive by a pause before the next replacement once the supervisor has stopped', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await killWithReplacement();
    while (log.length < 2) await nextTurn();
    assert.equal(timers(), before + 1, 'the pause');
    await supervisor.stop();
    assert.equal(timers(), before);
  });

  test('is named in the log, and so is the failure of its replacement', async () => {
    const dying = await killWithReplacement();
    await once(cluster, 'fork');
    const lines = log.map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ time: _, ...rest }) => rest),
      [
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
            'a worker was killed with SIGKILL before it listened; if memory ran out, lower --workers or give the machine more',
          msg: 'the replacement did not start; trying again',
        },
      ],
    );
  });
});
