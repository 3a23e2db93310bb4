import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { faultsCountedMax } from '../../database.ts';
import { bookkeepingFile } from '../bookkeeping/bookkeeping-file.ts';
import { databaseFile, openSqliteDatabase } from '../open.ts';
import { openSqliteInspection } from './inspection.ts';

async function makeFolder(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-inspection-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await (await openSqliteDatabase({ folder })).close();
  return folder;
}

function change(folder: string, sql: string, file = databaseFile): void {
  const options = { enableForeignKeyConstraints: false, defensive: false };
  using connection = new DatabaseSync(join(folder, file), options);
  connection.exec(sql);
}

function open(t: TestContext, folder: string) {
  const inspection = openSqliteInspection(folder);
  t.after(() => inspection.close().catch(() => {}));
  return inspection;
}

/** Overwrites the page on which a table or an index begins. */
function damage(folder: string, name: string, file = databaseFile): void {
  const path = join(folder, file);
  using connection = new DatabaseSync(path, { readOnly: true });
  const row = connection.prepare('select rootpage from sqlite_schema where name = ?').get(name);
  const page = Number(row?.rootpage);
  writeFileSync(path, readFileSync(path).fill(0x55, (page - 1) * 4096, page * 4096));
}

/**
 * Makes the cells of a table's only page begin in its free space, which is zero. Beyond the end of the page, what SQLite
 * reads and reports would depend on its memory.
 */
function scatter(folder: string, name: string): void {
  const path = join(folder, databaseFile);
  using connection = new DatabaseSync(path, { readOnly: true });
  const row = connection.prepare('select rootpage from sqlite_schema where name = ?').get(name);
  const start = (Number(row?.rootpage) - 1) * 4096;
  const bytes = readFileSync(path);
  // The header of a leaf has eight bytes, of which the fourth and the fifth count the cells.
  const cells = bytes.readUInt16BE(start + 3);
  for (let cell = 0; cell < cells; cell++) bytes.writeUInt16BE(100, start + 8 + 2 * cell);
  writeFileSync(path, bytes);
}

const none = { count: 0, examples: [] };

test('a healthy database has no findings, and says what it is', async (t) => {
  const folder = await makeFolder(t);
  const inspection = open(t, folder);
  assert.equal(inspection.engine, 'sqlite');
  assert.equal(inspection.location, join(folder, databaseFile));
  assert.equal(await inspection.databaseTimeMs(), undefined);
  assert.equal(await inspection.connectionsMax(), undefined);
  assert.deepEqual(await inspection.engineSettings(), [
    { name: 'journal_mode', value: 'wal', wanted: 'wal' },
  ]);
  assert.deepEqual(await inspection.findDamage(), none);
  assert.deepEqual(await inspection.findBrokenForeignKeys(), none);
  assert.deepEqual(await inspection.findOrphans(), []);
  assert.deepEqual(await inspection.schema(), { pending: [], newer: [], servable: true });
});

test('an inspection changes nothing: it creates no file, and leaves the log of an unclosed database', async (t) => {
  const empty = mkdtempSync(join(tmpdir(), 'fieldroster-inspection-'));
  t.after(() => rmSync(empty, { recursive: true }));
  assert.throws(() => openSqliteInspection(empty), /unable to open database file/);
  assert.equal(existsSync(join(empty, databaseFile)), false);
  const folder = await makeFolder(t);
  const database = await openSqliteDatabase({ folder });
  await database.tenants.insertTenant('in the log');
  const copy = mkdtempSync(join(tmpdir(), 'fieldroster-inspection-'));
  t.after(() => rmSync(copy, { recursive: true }));
  for (const name of [databaseFile, `${databaseFile}-wal`])
    writeFileSync(join(copy, name), readFileSync(join(folder, name)));
  await database.close();
  const log = readFileSync(join(copy, `${databaseFile}-wal`));
  const inspection = openSqliteInspection(copy);
  assert.deepEqual(await inspection.findDamage(), none);
  await inspection.close();
  assert.deepEqual(readFileSync(join(copy, `${databaseFile}-wal`)), log);
  assert.equal(existsSync(join(copy, bookkeepingFile)), false);
});

test('a closed inspection has closed the file', async (t) => {
  const inspection = open(t, await makeFolder(t));
  await inspection.close();
  await assert.rejects(inspection.findDamage(), /database is not open/);
});

test('the reports of processes are compared with the clock of this process', async (t) => {
  const inspection = open(t, await makeFolder(t));
  const beforeMs = Date.now();
  const { holders, nowMs } = await inspection.keys.holders();
  assert.deepEqual(holders, []);
  assert.ok(nowMs >= beforeMs && nowMs <= Date.now(), `${nowMs}`);
});

test('faults of single rows are counted, and the first five are examples', async (t) => {
  const folder = await makeFolder(t);
  change(
    folder,
    `create table more (id integer primary key, n text);
    insert into more (n) values (null), (null), (null), (null), (null), (null), (null);
    pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, 'n text', 'n text not null') where name = 'more'`,
  );
  assert.deepEqual(await open(t, folder).findDamage(), {
    count: 7,
    examples: Array(5).fill('NULL value in more.n'),
  });
});

test('faults found before damage ended the check are reported', async (t) => {
  const folder = await makeFolder(t);
  damage(folder, 'accepted_write');
  const { count, examples } = await open(t, folder).findDamage();
  assert.equal(count, 1);
  assert.match(examples[0] ?? '', /^Tree \d+ page \d+: btreeInitPage\(\) returns error code 11$/);
});

test('each fault of a damaged page is counted and reported on a line of its own', async (t) => {
  const folder = await makeFolder(t);
  change(folder, 'create table more (n); insert into more values (1), (2), (3)');
  scatter(folder, 'more');
  const { count, examples } = await open(t, folder).findDamage();
  assert.equal(count, 3);
  for (const example of examples) assert.match(example, /^Tree \d+ page \d+ cell [012]: [\w .]+$/);
});

test('the unreadable bytes of a name from a damaged page are replaced in the report', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, databaseFile);
  // Damages the name of the table in the definition of its index: two bytes become one invalid in UTF-8 and a control.
  const bytes = readFileSync(path).toString('latin1');
  writeFileSync(path, Buffer.from(bytes.replaceAll('on "audit_event"', 'on "audit\xff\x12vent"'), 'latin1'));
  const inspection = open(t, folder);
  const said = await inspection.findDamage().then(
    () => assert.fail('the damage was not found'),
    (error: unknown) => inspection.damageIn(error),
  );
  assert.match(said ?? '', /^is damaged \(malformed database schema .*: main\.audit\(unreadable\)vent\)$/);
});

test('damage that ends the search before it found anything is thrown', async (t) => {
  const folder = await makeFolder(t);
  damage(folder, 'user_search_config');
  await assert.rejects(open(t, folder).findDamage(), /vtable constructor failed/);
});

test('broken foreign keys are counted up to a limit, and the first five are examples', async (t) => {
  const folder = await makeFolder(t);
  const insert = (from: number, to: number) =>
    change(
      folder,
      `with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})
      insert into org (tenant_id, id, name, parent_id) select 1, i, i, 7000000 from n`,
    );
  insert(1, 6);
  const six = await open(t, folder).findBrokenForeignKeys();
  assert.deepEqual(six, {
    count: 6,
    examples: Array(5).fill('a row of org refers to a missing row of tenant'),
  });
  insert(7, faultsCountedMax + 1);
  assert.equal((await open(t, folder).findBrokenForeignKeys()).count, faultsCountedMax);
});

const addOrphans = `insert into operator_session values ('hash', 7, 1, 1, null, null);
  insert into entry_count (tenant_id, day, at) values (8, 1, 1)`;

test('orphans of both files are found, each time, with every digit of their keys', async (t) => {
  const folder = await makeFolder(t);
  change(
    folder,
    `insert into user_role (tenant_id, user_id, role_id) values (1, 9007199254740993, 5);
    insert into operator_link (token_hash, operator_id, role, all_tenants, tenant_ids, expires_at)
      values ('hash', null, 'viewer', 0, '["77"]', 9000000000000)`,
  );
  change(folder, addOrphans, bookkeepingFile);
  const inspection = open(t, folder);
  for (const time of ['first', 'second']) {
    const found = await inspection.findOrphans();
    assert.deepEqual(
      found.map(({ reference, examples }) => [reference, ...examples]),
      [
        ['user_role refers to a missing user', 'tenant_id 1, user_id 9007199254740993'],
        ['user_role refers to a missing role', 'tenant_id 1, user_id 9007199254740993, role_id 5'],
        ['operator_link refers to a missing tenant', 'tenant_ids 77'],
        ['operator_session refers to a missing operator', 'operator_id 7'],
        ['entry_count refers to a missing tenant', 'tenant_id 8, day 1'],
      ],
      time,
    );
  }
});

test('a bookkeeping of an earlier release, which lacks a table, is examined as it is', async (t) => {
  const folder = await makeFolder(t);
  change(folder, `${addOrphans}; drop table operator_session`, bookkeepingFile);
  const found = await open(t, folder).findOrphans();
  assert.deepEqual(
    found.map(({ reference }) => reference),
    ['entry_count refers to a missing tenant'],
  );
});

test('a bookkeeping that is missing or damaged has no orphans', async (t) => {
  const folder = await makeFolder(t);
  const file = join(folder, bookkeepingFile);
  change(folder, `${addOrphans}; pragma wal_checkpoint(truncate)`, bookkeepingFile);
  damage(folder, 'operator_session', bookkeepingFile);
  assert.deepEqual(await open(t, folder).findOrphans(), [], 'one page is damaged');
  writeFileSync(file, 'not a database'.repeat(1_000));
  assert.deepEqual(await open(t, folder).findOrphans(), [], 'it is a text');
  rmSync(file);
  assert.deepEqual(await open(t, folder).findOrphans(), [], 'it is missing');
  assert.equal(existsSync(file), false);
});

test('a bookkeeping that cannot be examined for another reason is not reported as free of orphans', async (t) => {
  const folder = await makeFolder(t);
  change(folder, 'alter table entry_count rename column tenant_id to owner_id', bookkeepingFile);
  await assert.rejects(open(t, folder).findOrphans(), /no such column: child\.tenant_id/);
  rmSync(join(folder, bookkeepingFile));
  change(folder, "pragma encoding = 'UTF-16'; create table other (n integer)", bookkeepingFile);
  await assert.rejects(open(t, folder).findOrphans(), /must use the same text encoding/);
});

test('an error says that the data is damaged, or that its disk fails, or neither', async (t) => {
  const { damageIn } = open(t, await makeFolder(t));
  const ofSqlite = (errcode: number) => Object.assign(new Error('as SQLite says'), { errcode });
  assert.equal(damageIn(ofSqlite(11)), 'is damaged (as SQLite says)');
  assert.equal(
    damageIn(new Error('the statement failed', { cause: ofSqlite(266) })),
    'cannot be read, because its disk is failing (as SQLite says)',
  );
  for (const error of [ofSqlite(5), new Error('x'), undefined, 'is damaged'])
    assert.equal(damageIn(error), undefined);
});

test('a check that waits too long for a lock is told apart from other failures', async (t) => {
  const folder = await makeFolder(t);
  const inspection = open(t, folder);
  using holder = new DatabaseSync(join(folder, databaseFile));
  holder.exec('begin immediate');
  using waiter = new DatabaseSync(join(folder, databaseFile), { timeout: 0 });
  assert.throws(
    () => waiter.exec('begin immediate'),
    (error: Error) => {
      assert.equal(inspection.isLockedOut(error), true);
      assert.equal(inspection.isLockedOut(new Error('wrapped', { cause: error })), true);
      return true;
    },
  );
  assert.equal(inspection.isLockedOut(new Error('database is locked')), false);
});
