import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { connect } from './connections/connection.ts';
import { openImportSession } from './import-session.ts';

/** Opens a small database for an import, and another connection to it. */
function openForImport(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-import-'));
  const path = join(folder, 'test.db');
  const { connection: another } = connect(path);
  another.exec('pragma journal_mode = wal; pragma busy_timeout = 0');
  another.exec('create table entry (n integer primary key) strict');
  another.exec('create table child (n integer references entry deferrable initially deferred) strict');
  const imported = openImportSession(path, () => 7);
  t.after(async () => {
    await imported.close();
    another.close();
    rmSync(folder, { recursive: true });
  });
  const { db } = imported.session;
  const insert = (n: number) => sql`insert into entry values (${n})`.execute(db);
  const entries = () =>
    another
      .prepare('select n from entry order by n')
      .all()
      .map(({ n }) => Number(n));
  return { path, imported, another, insert, entries };
}

test('an import shows its work to others at once, when all of it is done', async (t) => {
  const { imported, insert, entries } = openForImport(t);
  const counts = await imported.transact(async () => {
    await insert(1);
    await insert(2);
    assert.deepEqual(entries(), []);
    return { added: 2 };
  });
  assert.deepEqual([counts, entries(), imported.now()], [{ added: 2 }, [1, 2], 7]);
});

test('an import that fails leaves nothing, and no lock', async (t) => {
  const { imported, another, insert, entries } = openForImport(t);
  const failing = imported.transact(async () => {
    await insert(1);
    await insert(1);
  });
  await assert.rejects(failing, /UNIQUE constraint failed/);
  another.exec('begin immediate; rollback');
  assert.deepEqual(entries(), []);
});

test('an import whose commit fails leaves nothing, and no lock', async (t) => {
  const { imported, another, insert, entries } = openForImport(t);
  const failing = imported.transact(async () => {
    await insert(1);
    await sql`insert into child values (99)`.execute(imported.session.db);
  });
  await assert.rejects(failing, /FOREIGN KEY constraint failed/);
  another.exec('begin immediate; rollback');
  assert.deepEqual(entries(), []);
});

test('an import that makes SQLite undo its transaction gets the error that did', async (t) => {
  const { imported, another, insert, entries } = openForImport(t);
  const failing = imported.transact(async () => {
    await insert(1);
    await sql`insert or rollback into entry values (1)`.execute(imported.session.db);
  });
  await assert.rejects(failing, /UNIQUE constraint failed/);
  const trying = imported.tryOut(async () => {
    await insert(1);
    await sql`insert or rollback into entry values (1)`.execute(imported.session.db);
  });
  await assert.rejects(trying, /UNIQUE constraint failed/);
  another.exec('begin immediate; rollback');
  assert.deepEqual(entries(), []);
});

test('an import waits while another process writes, and runs nothing meanwhile', async (t) => {
  const { imported, another, insert, entries } = openForImport(t);
  another.exec('begin immediate');
  const order: string[] = [];
  const importing = imported.transact(async () => {
    order.push('import');
    await insert(1);
  });
  setTimeout(() => {
    order.push('other write');
    another.exec('commit');
  }, 20);
  await importing;
  assert.deepEqual([order, entries()], [['other write', 'import'], [1]]);
});

test('an import that has waited for a minute is refused, and changes nothing', async (t) => {
  const { imported, another, insert } = openForImport(t);
  another.exec('begin immediate');
  const startedMs = performance.now();
  let passedMs = 0;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  const importing = imported.transact(() => insert(1));
  passedMs = 60_001;
  await assert.rejects(importing, (error: Error) => {
    assert.equal(error.name, 'BusyError');
    assert.match(String(error.cause), /database is locked/);
    return /another process keeps the database locked/.test(error.message);
  });
  another.exec('rollback');
});

test('an import that cannot begin for a reason other than a lock says so', async (t) => {
  const { imported, insert } = openForImport(t);
  const nested = imported.transact(() => imported.transact(() => insert(1)));
  await assert.rejects(nested, /cannot start a transaction within a transaction/);
});

test('an attempt takes no lock, and leaves nothing, whether it succeeds or fails', async (t) => {
  const { imported, another, insert, entries } = openForImport(t);
  const { db } = imported.session;
  const result = await imported.tryOut(async () => {
    await sql`create temporary table staged (n integer)`.execute(db);
    another.exec('begin immediate; rollback');
    return 'tried';
  });
  assert.equal(result, 'tried');
  await sql`create temporary table staged (n integer)`.execute(db);
  const failing = imported.tryOut(async () => {
    await insert(1);
    throw new Error('refused');
  });
  await assert.rejects(failing, /refused/);
  another.exec('begin immediate; rollback');
  assert.deepEqual(entries(), []);
});

test('an import that has ended leaves its connection closed', async (t) => {
  const { path } = openForImport(t);
  const ended = openImportSession(path, () => 7);
  await ended.close();
  await assert.rejects(
    ended.transact(async () => {}),
    /database is not open/,
  );
});
