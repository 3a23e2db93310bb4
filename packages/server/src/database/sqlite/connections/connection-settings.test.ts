import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { connectionOptions, connectionSettings } from './connection-settings.ts';

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-settings-'));
  const connection = new DatabaseSync(join(folder, 'test.db'), connectionOptions);
  t.after(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });
  connection.exec(connectionSettings);
  const read = (name: string) => Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0];
  return { connection, read };
}

test('a commit returns once it is on disk, and the log is copied into the database at 32 MB', (t) => {
  const { read } = open(t);
  assert.equal(read('synchronous'), 2n);
  assert.equal((read('wal_autocheckpoint') as bigint) * (read('page_size') as bigint), 32_768_000n);
});

test('a deleted row is overwritten in the pages that are written anyway', (t) => {
  assert.equal(open(t).read('secure_delete'), 2n);
});

test('a statement waits two seconds for a lock, and pages take up to six megabytes of memory', (t) => {
  const { read } = open(t);
  assert.equal(read('busy_timeout'), 2_000n);
  assert.equal(read('cache_size'), -6144n);
});

test('integers keep every digit, references are enforced, and functions in the file’s schema are not trusted', (t) => {
  const { connection, read } = open(t);
  assert.deepEqual(
    { ...connection.prepare('select 9223372036854775807 as n').get() },
    { n: 9223372036854775807n },
  );
  assert.equal(read('trusted_schema'), 0n);
  connection.exec('create table entry (n integer primary key, parent integer references entry) strict');
  assert.throws(() => connection.exec('insert into entry values (1, 2)'), /FOREIGN KEY constraint failed/);
});
