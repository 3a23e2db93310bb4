import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { bookkeepingFile } from '../bookkeeping/bookkeeping-file.ts';
import { connect } from '../connections/connection.ts';
import { databaseFile } from '../open.ts';
import { copySqliteSnapshot } from './snapshot.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-snapshot-'));
after(() => rmSync(parent, { recursive: true }));

/** Makes a folder with both files, and another one for the copy. */
function makeFolders(name: string, files = [databaseFile, bookkeepingFile]) {
  const [folder, toFolder] = [join(parent, name), join(parent, `copy of ${name}`)];
  mkdirSync(folder);
  mkdirSync(toFolder);
  const connections = files.map((file) => {
    const { connection } = connect(join(folder, file));
    connection.exec('pragma journal_mode = wal; create table entry (n integer) strict');
    connection.exec('insert into entry values (1)');
    return connection;
  });
  const copied = (file: string) => {
    const copy = new DatabaseSync(join(toFolder, file), { readOnly: true });
    const rows = copy.prepare('select n from entry').all();
    copy.close();
    return rows.map(({ n }) => n);
  };
  const close = () => {
    for (const connection of connections) connection.close();
  };
  return { folder, toFolder, connections, copied, close };
}

test('a copy holds what was committed to both files, and nothing of a write under way', async () => {
  const { folder, toFolder, connections, copied, close } = makeFolders('both');
  connections[0]?.exec('begin immediate; insert into entry values (2)');
  await copySqliteSnapshot(folder, toFolder);
  connections[0]?.exec('commit');
  assert.deepEqual([copied(databaseFile), copied(bookkeepingFile)], [[1], [1]]);
  close();
  const logs = readdirSync(folder).filter((name) => name.endsWith('-wal'));
  assert.deepEqual(logs, [], 'no connection of the copy stays open');
});

test('without the bookkeeping, or with a damaged one, the database is copied alone, and none is made', async () => {
  const missing = makeFolders('missing', [databaseFile]);
  await copySqliteSnapshot(missing.folder, missing.toFolder);
  assert.deepEqual(readdirSync(missing.toFolder), [databaseFile]);
  assert.deepEqual(missing.copied(databaseFile), [1]);
  assert.equal(existsSync(join(missing.folder, bookkeepingFile)), false);
  missing.close();
  const damaged = makeFolders('damaged', [databaseFile]);
  writeFileSync(join(damaged.folder, bookkeepingFile), 'x'.repeat(8192));
  writeFileSync(join(damaged.toFolder, bookkeepingFile), '');
  await copySqliteSnapshot(damaged.folder, damaged.toFolder);
  assert.deepEqual(readdirSync(damaged.toFolder), [databaseFile]);
  damaged.close();
});

test('a folder without a database is an error, and stays as it is', async () => {
  const { folder, toFolder } = makeFolders('empty', []);
  await assert.rejects(copySqliteSnapshot(folder, toFolder), /there is no database at .*fieldroster\.db/);
  assert.deepEqual([readdirSync(folder), readdirSync(toFolder)], [[], []]);
});

test('a source that cannot be read is named, and is not blamed for a fault of the copy', async () => {
  const unreadable = makeFolders('unreadable', []);
  mkdirSync(join(unreadable.folder, databaseFile));
  await assert.rejects(copySqliteSnapshot(unreadable.folder, unreadable.toFolder), {
    name: 'DatabaseFileError',
  });
  const { folder, toFolder, close } = makeFolders('good');
  rmSync(toFolder, { recursive: true });
  await assert.rejects(copySqliteSnapshot(folder, toFolder), (error: Error) => {
    assert.equal(error.name, 'Error');
    return /unable to open database file/.test(error.message);
  });
  close();
});
