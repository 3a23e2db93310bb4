import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { databaseFile } from '../open.ts';
import { findSqliteFaults } from './database-faults.ts';

/** Makes a folder whose database has as many faults of either kind as given. */
function makeFolder(t: TestContext, faults: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-faults-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const options = { enableForeignKeyConstraints: false, defensive: false };
  using connection = new DatabaseSync(join(folder, databaseFile), options);
  connection.exec(`create table parent (id integer primary key) strict;
    create table child (id integer references parent) strict;
    create table entry (name text) strict;
    with recursive n (i) as (select 1 union all select i + 1 from n) insert into child select i from n limit ${faults};
    with recursive n (i) as (select 1 union all select i + 1 from n) insert into entry select null from n limit ${faults};
    pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, 'name text', 'name text not null') where name = 'entry'`);
  return folder;
}

const nullValue = 'NULL value in entry.name';
const missingRow = 'a row of child refers to a missing row of parent';

test('a database without faults has none', (t) => {
  assert.deepEqual(findSqliteFaults(makeFolder(t, 0)), []);
});

test('damaged rows come first, then references to missing rows', (t) => {
  assert.deepEqual(findSqliteFaults(makeFolder(t, 2)), [nullValue, nullValue, missingRow, missingRow]);
});

test('no more than twenty faults of a kind are returned', (t) => {
  const faults = findSqliteFaults(makeFolder(t, 21));
  assert.deepEqual(faults, [...Array(20).fill(nullValue), ...Array(20).fill(missingRow)]);
});

test('a missing database is an error, and is not created', (t) => {
  const folder = makeFolder(t, 0);
  rmSync(join(folder, databaseFile));
  assert.throws(() => findSqliteFaults(folder), /unable to open database file/);
  assert.equal(existsSync(join(folder, databaseFile)), false);
});

test('looking for faults leaves the file closed', (t) => {
  const folder = makeFolder(t, 0);
  const close = t.mock.method(DatabaseSync.prototype, 'close');
  findSqliteFaults(folder);
  assert.equal(close.mock.callCount(), 1);
});
