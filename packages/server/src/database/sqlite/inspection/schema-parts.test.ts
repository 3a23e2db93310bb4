import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, type SqliteConnection } from '../connections/connection.ts';
import { databaseFile, openSqliteDatabase } from '../open.ts';
import { findMissingParts, findSearchDifferences, findSearchFaults, repairParts } from './schema-parts.ts';

const none = { count: 0, examples: [] };
const searchIndex = 'the index of the user search and its triggers';

/** Opens a database with users, whose ids begin with 1. */
async function openWithUsers(t: TestContext, users = 3): Promise<SqliteConnection> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-parts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await (await openSqliteDatabase({ folder })).close();
  const connected = connect(join(folder, databaseFile));
  t.after(() => connected.connection.close());
  connected.connection.exec(`
    insert into tenant (id, name, created_at) values (1, 'default', 1);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${users})
      insert into "user" (tenant_id, id, username, real_name, nickname, gender, email, phone, department, avatar,
        unique_code, ext_info, password_hash, status, without_role, without_org, without_store, revision, created_at,
        updated_at)
      select 1, i, 'user-' || i, '', '', 0, '', '', '', '', '', '', null, 'active', 1, 1, 1, 1, i, 1 from n`);
  return connected;
}

/** Changes a database even where SQLite protects it. */
function change({ connection }: SqliteConnection, statements: string): void {
  connection.enableDefensive(false);
  connection.exec(statements);
  connection.enableDefensive(true);
}

test('a database of this release lacks nothing, and needs no repair', async (t) => {
  const connected = await openWithUsers(t);
  const { connection } = connected;
  assert.deepEqual(await findMissingParts(connection), none);
  assert.deepEqual(await findSearchFaults(connection), none);
  assert.deepEqual(findSearchDifferences(connection), none);
  assert.deepEqual(await repairParts(connected), []);
  assert.equal(connection.isTransaction, false);
});

for (const [statements, fault] of [
  ['drop trigger user_search_insert', 'the trigger user_search_insert is missing'],
  [
    `drop trigger user_search_insert;
     create trigger user_search_insert after insert on "user" begin select 1; end`,
    'the trigger user_search_insert is changed',
  ],
  ['drop table user_search_config', 'the table user_search_config is missing'],
  ['drop table user_search_data', 'the table user_search_data is missing'],
] as const) {
  test(`${fault}: the search is made again, and nothing else`, async (t) => {
    const connected = await openWithUsers(t);
    const { connection } = connected;
    change(connected, statements);
    assert.deepEqual(await findSearchFaults(connection), { count: 1, examples: [fault] });
    assert.deepEqual(await findMissingParts(connection), none);
    assert.deepEqual(await repairParts(connected), [searchIndex]);
    assert.deepEqual(await findSearchFaults(connection), none);
    assert.deepEqual(findSearchDifferences(connection), none);
    assert.throws(
      () => connection.exec("insert into user_search_config values ('x', 1)"),
      /may not be modified/,
      'SQLite protects the tables of the search as before',
    );
  });
}

test('users that are not listed are counted, and the first few are named', async (t) => {
  const connected = await openWithUsers(t, 7);
  const { connection } = connected;
  connection.exec("insert into user_search (user_search) values ('delete-all')");
  const { count, examples } = findSearchDifferences(connection);
  assert.deepEqual([count, examples[0]], [7, 'user 1 of tenant 1 is not listed']);
  assert.deepEqual(await repairParts(connected), [searchIndex]);
  assert.deepEqual(findSearchDifferences(connection), none);
});

test('absent users that are listed are counted, unless present ones are not listed', async (t) => {
  const connected = await openWithUsers(t);
  const { connection } = connected;
  connection.exec("insert into user_search (rowid, text) values (98, 'nobody')");
  assert.deepEqual(findSearchDifferences(connection), { count: 1, examples: ['1 absent user is listed'] });
  connection.exec("insert into user_search (rowid, text) values (99, 'nobody')");
  assert.deepEqual(findSearchDifferences(connection), { count: 1, examples: ['2 absent users are listed'] });
  change(connected, 'delete from user_search_docsize where id = 2');
  assert.deepEqual(findSearchDifferences(connection), {
    count: 1,
    examples: ['user 2 of tenant 1 is not listed'],
  });
  change(connected, 'delete from user_search_docsize where id = 98');
  assert.deepEqual(await repairParts(connected), [searchIndex]);
  assert.deepEqual(findSearchDifferences(connection), none);
});

test('a missing index is made again, unless its table is missing too, which is only reported', async (t) => {
  const connected = await openWithUsers(t);
  const { connection } = connected;
  connection.exec('drop index user_by_change; drop table password_failure');
  const missing = async () => [...(await findMissingParts(connection)).examples].sort();
  const ofTable = ['the index password_failure_by_end', 'the table password_failure'];
  assert.deepEqual(await missing(), ['the index user_by_change', ...ofTable].sort());
  assert.deepEqual(await repairParts(connected), ['the index user_by_change']);
  assert.deepEqual(await missing(), ofTable);
});

for (const [what, statements] of [
  ['of another release', "insert into kysely_migration values ('9999-of-a-later-release', '')"],
  ['without migrations', 'drop table kysely_migration'],
] as const) {
  test(`a database ${what} is neither found wrong nor changed`, async (t) => {
    const connected = await openWithUsers(t);
    const { connection } = connected;
    connection.exec(`drop index user_by_change; drop trigger user_search_insert; ${statements}`);
    connection.exec("insert into user_search (rowid, text) values (99, 'nobody')");
    assert.deepEqual(await findMissingParts(connection), none);
    assert.deepEqual(await findSearchFaults(connection), none);
    assert.deepEqual(await repairParts(connected), []);
    assert.equal(findSearchDifferences(connection).count, 1);
  });
}

test('a repair for which the disk has no room says so, although SQLite has undone it already', async (t) => {
  const connected = await openWithUsers(t, 2_000);
  const { connection } = connected;
  connection.exec('drop trigger user_search_update; vacuum; pragma max_page_count = 1');
  await assert.rejects(repairParts(connected), /database or disk is full/);
  assert.equal(connection.isTransaction, false);
});

test('a repair that fails is undone as a whole', async (t) => {
  const connected = await openWithUsers(t);
  const { connection } = connected;
  connection.exec('drop index user_by_change; drop table user_search; create view user_search as select 1');
  await assert.rejects(repairParts(connected));
  assert.equal(connection.isTransaction, false);
  assert.ok((await findMissingParts(connection)).examples.includes('the index user_by_change'));
});
