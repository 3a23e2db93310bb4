import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { listWorkers, untilWorkers } from '../workers/worker-pids.ts';
import { scrape } from './scrape.ts';

const workers = 2;
const calls = 40;

describe(`the metrics of ${workers} workers`, () => {
  let directory: Provisioned;
  let server: ServerProcess;

  before(async () => {
    directory = await provisionDirectory(1);
    server = await ServerProcess.start(
      directory,
      ...['--workers', String(workers), '--metrics', '127.0.0.1:0'],
    );
  });

  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const answered = async () =>
    (await scrape(server)).sum('fieldroster_requests_total', { operation: 'query-user', code: '1101' }) ?? 0;

  const ended = async () => (await scrape(server)).sum('fieldroster_workers_ended_total');

  /** A scrape leaves out what a worker has not reported within two seconds. */
  async function assertAnswered(count: number): Promise<void> {
    await server.until(async () => (await answered()) >= count);
    assert.equal(await answered(), count);
  }

  /** Each call uses its own connection, so that the system hands them to different workers. */
  async function callOften(): Promise<void> {
    for (let count = 0; count < calls; count++) {
      const client = new SignedClient(server.url, directory.credentials);
      const { code } = await client.call('GET', '/user?username=nobody');
      client.close();
      assert.equal(code, 1101);
    }
  }

  test('one scrape has the calls of all workers', async () => {
    await callOften();
    await assertAnswered(calls);
    const memory = (await scrape(server)).sum('fieldroster_resident_memory_bytes') ?? 0;
    assert(memory > 0);
  });

  test('counters keep what a killed worker had reported, and its end is counted', async () => {
    await callOften();
    const before = 2 * calls;
    await assertAnswered(before);
    assert.equal(await ended(), 0, 'reported before the first one');
    const [victim = 0] = listWorkers(server.pid);
    process.kill(victim, 'SIGKILL');
    const seen: number[] = [];
    // Scrapes go on while the worker dies and another starts.
    for (let count = 0; count < 20; count++) seen.push(await answered());
    // Wait until its replacement listens.
    await server.until(() => server.timesListening > workers);
    seen.push(await answered());
    assert.deepEqual([...new Set(seen)], [before]);
    assert.equal(await ended(), 1);
    await callOften();
    await assertAnswered(3 * calls);
  });

  test('the node is not ready while a worker hangs, even before its first scrape', async () => {
    const ready = async () => (await scrape(server)).sum('fieldroster_ready');
    await server.until(async () => (await ready()) === 1);
    const former = listWorkers(server.pid);
    server.signal('SIGHUP');
    const [frozen = 0] = await untilWorkers(server.pid, workers, former);
    process.kill(frozen, 'SIGSTOP');
    const whileFrozen = await ready();
    process.kill(frozen, 'SIGCONT');
    assert.equal(whileFrozen, 0);
    await server.until(async () => (await ready()) !== 0);
  });

  test('counters keep all calls when workers are replaced in turn', async () => {
    const before = 3 * calls;
    await assertAnswered(before);
    const former = listWorkers(server.pid);
    await callOften();
    server.signal('SIGHUP');
    await untilWorkers(server.pid, workers, former);
    await assertAnswered(before + calls);
    assert.equal(await ended(), 1, 'those that were told to stop do not count');
  });

  test('a node without any worker reports that it is not ready', async () => {
    const file = join(directory.data, 'fieldroster.db');
    // No replacement starts without it.
    renameSync(file, `${file}.away`);
    for (const worker of listWorkers(server.pid)) process.kill(worker, 'SIGKILL');
    const failedStarts = 2;
    await server.until(async () => ((await ended()) ?? 0) >= 1 + workers + failedStarts);
    assert.equal((await scrape(server)).sum('fieldroster_ready'), 0);
    renameSync(`${file}.away`, file);
    server.signal('SIGHUP');
    await untilWorkers(server.pid, workers);
    await server.until(async () => (await scrape(server)).sum('fieldroster_ready') === 1);
  });
});
