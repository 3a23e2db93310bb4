import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
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

/** Reads beside a connection for writing, whose transactions the test opens and ends. */
function openBesideWriter(t: TestContext) {
  const [own, writing] = [0, 1].map(() => new DatabaseSync(path, { readBigInts: true })) as [
    DatabaseSync,
    DatabaseSync,
  ];
  t.after(() => [own, writing].map((connection) => connection.close()));
  const reads = new GroupRead(own, () => 0, writing);
  const countRows = async () => {
    const [row] = await reads.submit((connection) =>
      connection.prepare('select count(*) as n from entry').all(),
    );
    return (row as { n: bigint }).n;
  };
  const connectionOfRead = async () => (await reads.submit((connection) => [connection]))[0];
  return { own, writing, reads, countRows, connectionOfRead };
}

test('groups read on the writing connection, and never what its open transaction has not committed', async (t) => {
  const { own, writing, countRows, connectionOfRead } = openBesideWriter(t);
  const before = await countRows();
  assert.equal(await connectionOfRead(), writing);
  writing.exec('begin immediate; insert into entry values (1)');
  assert.equal(await countRows(), before);
  assert.deepEqual(await Promise.all([countRows(), countRows()]), [before, before]);
  assert.equal(await connectionOfRead(), own);
  writing.exec('commit');
  assert.equal(await countRows(), before + 1n);
  assert.deepEqual(await Promise.all([countRows(), countRows()]), [before + 1n, before + 1n]);
  assert.equal(await connectionOfRead(), writing);
});

test('the version changes with commits of the writing connection and of others, and only then', async (t) => {
  const { writing, reads } = openBesideWriter(t);
  const seen = [await reads.dataVersion()];
  const noteVersion = async () => {
    const version = await reads.dataVersion();
    assert(!seen.includes(version), `version ${version} comes twice`);
    seen.push(version);
    assert.equal(await reads.dataVersion(), version);
  };
  writing.exec('insert into entry values (1)');
  await noteVersion();
  insert();
  await noteVersion();
  // The other connection of the group looks for the first time.
  writing.exec('begin immediate');
  await reads.dataVersion();
  writing.exec('insert into entry values (1); commit');
  await noteVersion();
  writing.exec('begin immediate');
  await reads.dataVersion();
  writing.exec('insert into entry values (1); commit; begin immediate');
  await noteVersion();
  writing.exec('rollback');
});

test('a lock that the writing connection would not wait for leaves the group to the other connection', async (t) => {
  const { own, writing } = openBesideWriter(t);
  const failures = [{ errcode: 5 }, { errcode: 10 }].map((code) => Object.assign(new Error('begin'), code));
  writing.prepare = (sql) => {
    const statement = DatabaseSync.prototype.prepare.call(writing, sql);
    if (sql === 'pragma data_version') {
      statement.get = () => {
        throw failures.shift();
      };
    }
    return statement;
  };
  const reads = new GroupRead(own, () => 0, writing);
  const used = () => reads.submit((connection) => [connection]);
  assert.deepEqual(await Promise.all([used(), used()]), [[own], [own]]);
  assert.equal(writing.isTransaction, false);
  await assert.rejects(used(), /cannot be read or written/);
});

test('a transaction that cannot end is undone, so that later groups can read', async (t) => {
  const connection = new DatabaseSync(path, { readBigInts: true });
  t.after(() => connection.close());
  let fails = true;
  connection.prepare = (sql) => {
    const statement = DatabaseSync.prototype.prepare.call(connection, sql);
    if (sql !== 'commit') return statement;
    const end = statement.run.bind(statement);
    statement.run = () => {
      if (fails) throw new RangeError('cannot end');
      return end();
    };
    return statement;
  };
  const reads = new GroupRead(connection, () => 0);
  await Promise.all([reads.submit(count), reads.submit(count)]);
  assert.equal(connection.isTransaction, false);
  fails = false;
  assert.equal((await Promise.all([reads.submit(count), reads.submit(count)])).length, 2);
});

test('reads that take long are run in several groups, between which the event loop serves others', async () => {
  using connection = new DatabaseSync(':memory:');
  const reads = new GroupRead(connection, () => performance.now());
  const events: string[] = [];
  const read = (name: string) =>
    reads.submit(() => {
      const endsAt = performance.now() + 6;
      while (performance.now() < endsAt);
      events.push(name);
      return [];
    });
  const all = ['first', 'second', 'third'].map(read);
  setImmediate(() => events.push('other'));
  await Promise.all(all);
  assert.deepEqual(events, ['first', 'other', 'second', 'third']);
});
