import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, type SqliteConnection } from '../connections/connection.ts';
import { databaseFile, openSqliteDatabase } from '../open.ts';
import { repairParts } from './schema-parts.ts';

/** Opens a database whose search lacks a trigger, with no room to make the index of the search again. */
async function openWithoutRoom(t: TestContext): Promise<SqliteConnection> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-parts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await (await openSqliteDatabase({ folder })).close();
  const connected = connect(join(folder, databaseFile));
  t.after(() => connected.connection.close());
  connected.connection.exec(`
    insert into tenant (id, name, created_at) values (1, 'default', 1);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
      insert into "user" (tenant_id, id, username, real_name, nickname, gender, email, phone, department, avatar,
        unique_code, ext_info, password_hash, status, without_role, without_org, without_store, revision, created_at,
        updated_at)
      select 1, i, 'user-' || i, '', '', 0, '', '', '', '', '', '', null, 'active', 1, 1, 1, 1, i, 1 from n;
    drop trigger user_search_update;
    vacuum;
    pragma max_page_count = 1`);
  return connected;
}

test('a repair for which the disk has no room says so, although SQLite has undone it already', async (t) => {
  const connected = await openWithoutRoom(t);
  await assert.rejects(repairParts(connected), /database or disk is full/);
  assert.equal(connected.connection.isTransaction, false);
});
