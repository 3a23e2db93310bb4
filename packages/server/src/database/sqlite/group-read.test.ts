import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { GroupRead } from './group-read.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-group-read-'));
const path = join(folder, 'test.db');
const writer = new DatabaseSync(path, { readBigInts: true });
writer.exec('pragma journal_mode = wal; create table entry (n integer)');
const reader = new DatabaseSync(path, { readBigInts: true });
const group = new GroupRead(reader, () => 0);

after(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const count = () => reader.prepare('select count(*) as n from entry').all();
const insert = () => writer.exec('insert into entry values (1)');

test('reads of one group see the same state, even if writes commit between them', async () => {
  const before = await group.submit(count);
  const first = group.submit(count);
  const between = group.submit(() => {
    insert();
    return [];
  });
  const second = group.submit(count);
  const [one, , two] = await Promise.all([first, between, second]);
  assert.deepEqual([one, two], [before, before]);
});

test('a read sees everything that was committed before it was requested', async () => {
  for (let round = 0; round < 50; round += 1) {
    const waiting = group.submit(count);
    insert();
    const [earlier, asked] = await Promise.all([waiting, group.submit(count)]);
    assert.deepEqual(asked, writer.prepare('select count(*) as n from entry').all());
    assert.deepEqual(earlier, asked, 'the group began after both were asked for');
  }
});

test('a failed read does not affect the others of its group', async () => {
  const failing = group.submit(() => {
    throw new RangeError('broken');
  });
  const fine = group.submit(count);
  await assert.rejects(failing, RangeError);
  assert.equal((await fine).length, 1);
  assert.equal(reader.isTransaction, false);
});

test('the version of the data changes with each commit, and only then', async () => {
  const first = await group.dataVersion();
  assert.equal(await group.dataVersion(), first);
  insert();
  const second = await group.dataVersion();
  assert.notEqual(second, first);
  insert();
  assert.notEqual(await group.dataVersion(), second);
});

test('a group that fails as a whole does not affect later ones', async () => {
  reader.exec('begin');
  const failing = [group.dataVersion(), group.submit(count)];
  for (const one of failing) await assert.rejects(one, /within a transaction/);
  assert.equal(reader.isTransaction, false);
  assert.equal(typeof (await group.dataVersion()), 'bigint');
  assert.equal((await group.submit(count)).length, 1);
});

test('when no transaction can begin, the reads of the group fail, and later ones do not', async (t) => {
  const connection = new DatabaseSync(path, { readBigInts: true });
  t.after(() => connection.close());
  const begin = connection.prepare('begin');
  let fails = true;
  connection.prepare = (sql) => {
    const statement = DatabaseSync.prototype.prepare.call(connection, sql);
    if (sql !== 'begin') return statement;
    statement.run = () => {
      if (fails) throw new RangeError('cannot begin');
      return begin.run();
    };
    return statement;
  };
  const reads = new GroupRead(connection, () => 0);
  const all = () => Promise.allSettled([reads.submit(count), reads.submit(count)]);
  for (const result of await all())
    assert.match(String((result as PromiseRejectedResult).reason), /cannot begin/);
  fails = false;
  for (const { status } of await all()) assert.equal(status, 'fulfilled');
});
