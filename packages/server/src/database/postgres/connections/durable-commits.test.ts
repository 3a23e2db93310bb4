import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestPostgres, patient, runSql, untilRow } from '../../../../test/test-postgres.ts';
import { FailoverPool } from './failover-pool.ts';
import { PrimaryHosts } from './primary-hosts.ts';

// An acknowledged write is on disk, whatever the database prefers.

const postgres = await openTestPostgres();
const url = await postgres.createDatabase();
after(() => postgres.stop());

async function prefer(value: string): Promise<void> {
  await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = ${value}`);
}

async function openPool() {
  const hosts = new PrimaryHosts(url, patient);
  const pool = new FailoverPool({ hosts, ...patient, size: 1, acquireTimeoutMs: 60_000 });
  const read = async () => {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit', []);
      return rows[0]?.synchronous_commit;
    } finally {
      client.release();
    }
  };
  return { read, [Symbol.asyncDispose]: () => pool.end() };
}

test('commits wait for the disk even if the database prefers that they do not', async () => {
  await prefer('off');
  await using pool = await openPool();
  assert.equal(await pool.read(), 'on');
});

for (const value of ['local', 'remote_write', 'remote_apply'])
  test(`commits wait for replicas as the database prefers: ${value}`, async () => {
    await prefer(value);
    await using pool = await openPool();
    assert.equal(await pool.read(), value);
  });

test('commits of an open connection wait for the disk even if the server is told later that they need not', async (t) => {
  await prefer('default');
  await using pool = await openPool();
  assert.equal(await pool.read(), 'on');
  const reload = async (change: string, value: string) => {
    await runSql(postgres.url, `alter system ${change}`);
    await runSql(postgres.url, 'select pg_reload_conf()');
    await untilRow(postgres.url, "select 1 where current_setting('synchronous_commit') = $1", {
      values: [value],
    });
  };
  t.after(() => reload('reset synchronous_commit', 'on'));
  await reload('set synchronous_commit = off', 'off');
  assert.equal(await pool.read(), 'on');
});
