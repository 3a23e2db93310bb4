import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnPostgres, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { readRows } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

let postgres: OwnPostgres;

before(async () => {
  // Transaction ids belong to the whole server: other tests and its vacuum would take some.
  postgres = await startPostgres({ durable: false, settings: ['autovacuum=off'] });
});

after(() => postgres.stop());

/** How long the server is observed: longer than two intervals of its bookkeeping. */
const observedMs = 25_000;

for (const { name, flags, reportsInSecond } of [
  { name: 'without a rate limit', flags: [], reportsInSecond: 0 },
  { name: 'with a rate limit', flags: ['--rate-limit', '1000'], reportsInSecond: 2 },
])
  test(`a server that is only read commits no more often than its bookkeeping needs, ${name}`, async (t) => {
    const directory = await provisionDirectory(1, await postgres.createMigratedDatabase());
    // Its daily counts begin after a minute, which a busy machine may reach.
    const server = await ServerProcess.start(directory, '--console', 'off', ...flags);
    const client = new SignedClient(server.url, directory.credentials);
    /** Transactions that only read have no id. */
    const nextId = async () => {
      const [row] = await readRows(directory, 'select pg_snapshot_xmax(pg_current_snapshot())::text as id');
      return Number(row?.id);
    };
    const startedMs = performance.now();
    const firstId = await nextId();
    while (performance.now() - startedMs < observedMs) {
      // Failed calls are recorded, up to sixty of a kind in a minute.
      assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
      await delay(500);
    }
    const commits = (await nextId()) - firstId;
    const seconds = (performance.now() - startedMs) / 1000;
    client.close();
    await server.stop();
    await directory.remove();
    t.diagnostic(`figure: ${commits} commits in ${seconds.toFixed(1)} s ${name}`);
    assert.ok(commits > 0, 'the failed calls were written');
    const most = (perSecond: number) => Math.floor(seconds * perSecond) + 1;
    // The bookkeeping, the sign of life, and the reports of the rate limit.
    const expected = most(0.1) + most(1 / 60) + (reportsInSecond === 0 ? 0 : most(reportsInSecond));
    assert.ok(commits <= expected, `${commits} commits in ${seconds} s; at most ${expected} are expected`);
  });
