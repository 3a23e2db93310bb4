import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTracer } from '../../../tracing/trace.ts';
import { NodeSqliteDatabase } from './node-sqlite-database.ts';

function open(t: TestContext) {
  const connection = new DatabaseSync(':memory:', { readBigInts: true });
  t.after(() => {
    if (connection.isOpen) connection.close();
  });
  connection.exec('create table entry (n integer primary key, name text) strict');
  const errors: unknown[] = [];
  return {
    connection,
    errors,
    database: new NodeSqliteDatabase(connection, (error) => void errors.push(error)),
  };
}

test('a statement with columns reads its rows by name, and one without changes rows', (t) => {
  const { database } = open(t);
  const insert = database.prepare('insert into entry values (?, ?)');
  assert.equal(insert.reader, false);
  for (const [n, name] of [
    [1n, 'one'],
    [2n, 'two'],
  ])
    assert.equal(Number(insert.run([n, name]).changes), 1);
  const select = database.prepare('select n, name from entry where n >= ? order by n');
  assert.equal(select.reader, true);
  const rows = [
    { n: 1n, name: 'one' },
    { n: 2n, name: 'two' },
  ];
  const plain = (found: Iterable<unknown>) => Array.from(found, (row) => ({ ...(row as object) }));
  assert.deepEqual(plain(select.all([1n]) as unknown[]), rows);
  assert.deepEqual(plain(select.iterate([2n]) as Iterable<unknown>), rows.slice(1));
  assert.equal(database.prepare('delete from entry returning n').reader, true);
});

test('a statement is prepared once, until more than five hundred were', (t) => {
  const { connection, database } = open(t);
  const prepare = t.mock.method(connection, 'prepare');
  const prepareAll = (count: number) => {
    for (let index = 0; index < count; index += 1) database.prepare(`select ${index}`);
  };
  prepareAll(500);
  prepareAll(500);
  assert.equal(prepare.mock.callCount(), 500);
  prepareAll(501);
  assert.equal(prepare.mock.callCount(), 501, 'the last one took the place of all others');
  prepareAll(1);
  assert.equal(prepare.mock.callCount(), 502);
});

test('every error of a statement is reported as it is, and those of SQLite’s environment are thrown as busy', (t) => {
  const { connection, database, errors } = open(t);
  connection.exec('pragma max_page_count = 3');
  const insert = database.prepare('insert into entry values (?, ?)');
  const isFull = { name: 'BusyError', message: /^the database has no room left on its disk: / };
  assert.throws(() => insert.run([1n, 'x'.repeat(100_000)]), isFull);
  assert.match(String(errors[0]), /database or disk is full/);
  assert.throws(() => database.prepare('insert into entry values (1) returning n'), /has 2 columns but/);
  const returning = database.prepare('insert into entry values (?, ?) returning n');
  returning.all([1n, 'one']);
  assert.throws(() => returning.all([1n, 'again']), /UNIQUE constraint failed/);
  assert.equal(errors.length, 3);
});

test('each run of a statement is a span with its text', (t) => {
  const { database } = open(t);
  const spans: unknown[] = [];
  setTracer({
    traceRequest: (_, work) => work(),
    inSpan(name, attributes, work) {
      spans.push([name, attributes]);
      return work();
    },
    carry: (work) => work,
    note: () => {},
  });
  t.after(() => setTracer(undefined));
  const texts = ['insert into entry values (?, ?)', 'select n from entry'];
  const [insert, select] = texts.map((text) => database.prepare(text));
  assert.deepEqual(spans, []);
  insert?.run([1n, 'one']);
  select?.all([]);
  assert.deepEqual(
    spans,
    texts.map((text) => ['statement', { 'db.system.name': 'sqlite', 'db.query.text': text }]),
  );
});

test('closing the adapter closes the connection', (t) => {
  const { connection, database } = open(t);
  database.prepare('select 1');
  database.close();
  assert.equal(connection.isOpen, false);
});
