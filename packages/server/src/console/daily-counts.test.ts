import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConsoleBrowser, owner } from '../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { DailyCounts } from './daily-counts.ts';
import { DirectoryCounts } from './directory-counts.ts';

interface Counts {
  readonly users: number;
  readonly stores: number;
  readonly bindings: number;
  readonly applications: number;
  readonly at: number;
}

const dayMs = 86_400_000;

describe('the counts of each day', () => {
  let server: TestServer;
  let page: ConsoleBrowser;
  let startMs: number;
  /** The clock of the counts; the server and its sessions have their own. */
  let nowMs: number;
  const processes: { readonly daily: DailyCounts; readonly counts: DirectoryCounts }[] = [];

  before(async () => {
    server = await startTestServer();
    startMs = server.nowMs;
    await server.createUser('bound', { store_codes: ['S001'] });
    page = new ConsoleBrowser(server);
    await page.join('all', owner);
  });

  beforeEach(async () => {
    nowMs = startMs;
    await server.bookkeeping.deleteFrom('entry_count').execute();
  });

  after(async () => {
    for (const { daily, counts } of processes) await Promise.all([counts.stop(), daily.stop()]);
    await server.close();
  });

  /** Makes the daily counts of another process on the database; `onCount` is called before it counts a tenant. */
  function newProcess(
    onCount: () => Promise<void> = async () => {},
    elapsedMs: () => number = () => nowMs,
  ): DailyCounts {
    const now = () => nowMs;
    const logger = { warn: (fields: object) => assert.fail(JSON.stringify(fields)) };
    const counts = new DirectoryCounts(server.database, logger as never, { now, elapsedMs: now });
    const beforeCount = {
      count: async (tenantId: bigint) => {
        await onCount();
        return counts.count(tenantId);
      },
    };
    const daily = new DailyCounts({ database: server.database, counts: beforeCount, logger, now, elapsedMs });
    processes.push({ daily, counts });
    return daily;
  }

  const rows = () => server.bookkeeping.selectFrom('entry_count').selectAll().orderBy('day').execute();

  async function weekBefore(tenantId = server.tenantId): Promise<Counts | undefined> {
    const { data } = await page.succeed('GET', `/tenants/${tenantId}/health`);
    return (data as unknown as { week_before?: Counts }).week_before;
  }

  async function countIn(table: 'user' | 'store' | 'user_store' | 'application'): Promise<number> {
    const found = await server.db.selectFrom(table).select('tenant_id').execute();
    return found.filter(({ tenant_id }) => tenant_id === server.tenantId).length;
  }

  test('are what the console answers a week later, for each tenant its own', async () => {
    const expected = {
      users: await countIn('user'),
      stores: await countIn('store'),
      bindings: await countIn('user_store'),
      applications: await countIn('application'),
    };
    nowMs -= 7 * dayMs;
    assert.equal(await weekBefore(), undefined);
    await newProcess().run();
    await server.createUser('newcomer');
    assert.deepEqual(await weekBefore(), { ...expected, at: nowMs });
    assert.equal(expected.bindings, 1);
    assert.notEqual((await weekBefore(server.otherTenantId))?.users, expected.users);
  });

  test('represent a week ago even if they are two days early or late, and the closest ones are used', async () => {
    const daily = newProcess();
    const ofDays = [0, 1, 3];
    for (const day of ofDays) {
      nowMs = startMs + day * dayMs;
      await daily.run();
    }
    for (const [days, counted] of [
      [4, undefined],
      [5, 0],
      [7, 0],
      [8, 1],
      [9, 1],
      [9.1, 3],
      [12, 3],
      [12.1, undefined],
    ] as const) {
      nowMs = startMs + days * dayMs;
      const expected = counted === undefined ? undefined : startMs + counted * dayMs;
      assert.equal((await daily.weekBefore(server.tenantId))?.atMs, expected, `${days} days later`);
    }
  });

  test('are made once a day by one of several processes', async () => {
    let [counted, other] = [0, 0];
    const beside = newProcess(async () => {
      other += 1;
    });
    const daily = newProcess(async () => {
      counted += 1;
      await beside.run();
    });
    await daily.run();
    const tenants = (await server.database.tenants.listTenants()).length;
    // While the first process counts under its lease, the second one takes the rest.
    assert.equal(counted + other, tenants);
    await Promise.all([daily.run(), beside.run()]);
    assert.equal(counted + other, tenants, 'the day is counted');
    nowMs += dayMs;
    await daily.run();
    assert.equal(counted + other, 2 * tenants);
    assert.equal((await rows()).length, 2 * tenants);
  });

  test('are made by another process ten minutes after the first one died', async () => {
    const tenants = await server.database.tenants.listTenants();
    const day = Math.floor(nowMs / dayMs);
    const { entryCounts } = server.database.bookkeeping;
    for (const { id } of tenants) {
      assert.ok(await entryCounts.takeLease({ tenantId: id, day }, nowMs, 10 * 60_000));
    }
    const daily = newProcess();
    nowMs += 10 * 60_000 - 1;
    await daily.run();
    assert.equal((await entryCounts.countedTenants(day)).size, 0);
    nowMs += 1;
    await daily.run();
    assert.equal((await entryCounts.countedTenants(day)).size, tenants.length);
  });

  test('are deleted after ten days', async () => {
    const daily = newProcess();
    const first = Math.floor(startMs / dayMs);
    for (let day = 0; day < 14; day++, nowMs += dayMs) await daily.run();
    const days = new Set((await rows()).map(({ day }) => Number(day) - first));
    assert.deepEqual(
      [...days],
      Array.from({ length: 11 }, (_, index) => index + 3),
    );
  });

  test('stay when the clock leaps ahead, and are there when it is set back', async () => {
    let elapsedMs = 0;
    const daily = newProcess(undefined, () => elapsedMs);
    for (let day = 0; day < 3; day++, nowMs += dayMs, elapsedMs += dayMs) await daily.run();
    const counted = (await rows()).length;
    nowMs += 365 * dayMs;
    await daily.run();
    nowMs -= 365 * dayMs;
    assert.equal((await rows()).filter(({ at }) => Number(at) < nowMs).length, counted);
  });
});
