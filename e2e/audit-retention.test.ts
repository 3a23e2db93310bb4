import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runSql } from '../packages/server/test/test-postgres.ts';
import { describeOnEachEngine } from './each-engine.ts';
import type { Provisioned } from './provision-directory.ts';
import { readRows } from './read-database.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

const dayMs = 86_400_000;

async function addOldRows(directory: Provisioned, count: number): Promise<void> {
  const at = Date.now() - 2 * dayMs;
  const row = `(1, ${at}, 'long ago', '{}')`;
  const text = `insert into audit_event (tenant_id, at, operation, changes) values ${Array(count).fill(row).join(',')}`;
  if (directory.database !== undefined) {
    await runSql(directory.database, text, []);
    return;
  }
  using database = new DatabaseSync(join(directory.data, 'fieldroster.db'), { timeout: 30_000 });
  database.exec(text);
}

async function countOldRows(directory: Provisioned): Promise<number> {
  const rows = await readRows(
    directory,
    "select count(*) as rows from audit_event where operation = 'long ago'",
  );
  return Number(rows[0]?.rows);
}

describeOnEachEngine((provision) => {
  test('serve --audit-keep purges old rows in one process and keeps newer ones', async (t) => {
    const directory = await provision(3);
    await addOldRows(directory, 1_100);
    const server = await ServerProcess.start(directory, '--audit-keep', '1', '--workers', '2');
    const client = new SignedClient(server.url, directory.credentials, 2);
    t.after(async () => {
      client.close();
      await server.kill();
      await directory.remove();
    });
    while ((await countOldRows(directory)) > 0) {
      assert.equal((await client.call('POST', '/user/stores', { username: 'meanwhile' })).code, 0);
      await delay(20);
    }
    assert.equal(await server.stop(), 0);
    const lines = server.output.split('\n').filter((line) => line.includes('old audit rows were purged'));
    assert.equal(lines.length, 1, server.output);
    assert.match(lines[0] ?? '', /"rows":1100,"keep_days":1/);
    const kept = await readRows(
      directory,
      "select operation from audit_event where operation = 'app create'",
    );
    assert.equal(kept.length, 1);
  });
});
