import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { FileIdentity } from './file-identity.ts';

function openDatabase(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-identity-'));
  const path = join(folder, 'test.db');
  const connection = new DatabaseSync(path);
  connection.exec('pragma journal_mode = wal; create table entry (n integer)');
  t.after(() => {
    if (connection.isOpen) connection.close();
    rmSync(folder, { recursive: true });
  });
  return { path, connection, identity: new FileIdentity(path) };
}

test('writing to a file does not change its identity', (t) => {
  const { connection, identity } = openDatabase(t);
  connection.exec('insert into entry values (1)');
  assert.equal(identity.changedFile(), undefined);
});

for (const ending of ['', '-wal', '-shm']) {
  const name = ending === '' ? 'the database' : `the file that ends in ${ending}`;

  test(`${name} is noticed when it is removed, and when an equal copy takes its place`, (t) => {
    const { path, identity } = openDatabase(t);
    const file = path + ending;
    renameSync(file, `${file}.aside`);
    assert.equal(identity.changedFile(), file);
    copyFileSync(`${file}.aside`, file);
    assert.equal(identity.changedFile(), file);
    renameSync(`${file}.aside`, file);
    assert.equal(identity.changedFile(), undefined);
  });
}

test('the end of the last connection changes the files, and leaves the database itself', (t) => {
  const { path, connection, identity } = openDatabase(t);
  connection.close();
  assert.equal(identity.changedFile(), `${path}-wal`);
  assert.equal(identity.isReplaced(), false);
  renameSync(path, `${path}.aside`);
  assert.equal(identity.isReplaced(), true);
  copyFileSync(`${path}.aside`, path);
  assert.equal(identity.isReplaced(), true);
});
