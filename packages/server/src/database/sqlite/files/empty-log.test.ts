import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { emptyLog } from './empty-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-empty-log-'));
after(() => rmSync(folder, { recursive: true }));

/** Copies a database with a row in its log, as a killed process or a full disk leaves it. */
function leaveLog(name: string): string {
  const [path, from] = [join(folder, name), join(folder, `${name}-open`)];
  const connection = new DatabaseSync(from);
  connection.exec('pragma journal_mode = wal; create table entry (n integer); insert into entry values (7)');
  for (const ending of ['', '-wal']) copyFileSync(from + ending, path + ending);
  connection.close();
  return path;
}

test('a file is complete without its log afterwards', () => {
  const path = leaveLog('complete');
  assert.ok(statSync(`${path}-wal`).size > 0);
  emptyLog(path);
  assert.equal(existsSync(`${path}-wal`), false, 'the connection is closed');
  const alone = join(folder, 'alone');
  copyFileSync(path, alone);
  const connection = new DatabaseSync(alone);
  assert.equal(connection.prepare('select n from entry').get()?.n, 7);
  connection.close();
  // A second time there is nothing to do.
  emptyLog(path);
});

test('a log that another connection still needs is not taken for emptied', () => {
  const path = leaveLog('in-use');
  const reader = new DatabaseSync(path);
  reader.exec('begin; select n from entry');
  assert.throws(() => emptyLog(path), /the log of .*in-use was not copied into it/);
  reader.close();
});
