import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.ts';

const rowBytes = 3_000;

function openLogged(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-checkpoints-'));
  const path = join(folder, 'test.db');
  const connection = new DatabaseSync(path);
  connection.exec('pragma journal_mode = wal; pragma synchronous = off; create table entry (text)');
  const insert = connection.prepare('insert into entry values (?)');
  const checkpoints = new Checkpoints(connection, path);
  t.after(async () => {
    await checkpoints.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  return {
    path,
    connection,
    checkpoints,
    /** Commits rows, each of which takes one page of the log. */
    commit(rows: number) {
      connection.exec('begin');
      for (let row = 0; row < rows; row++) insert.run('x'.repeat(rowBytes));
      connection.exec('commit');
      checkpoints.runIfDue();
    },
    logState: () =>
      connection.prepare('pragma wal_checkpoint(noop)').get() as Record<'log' | 'checkpointed', number>,
  };
}

test('a thread, not the commit, moves a long log into the database', async (t) => {
  const { checkpoints, commit, logState } = openLogged(t);
  commit(9_000);
  const { log, checkpointed } = logState();
  assert.ok(log >= 9_000 && checkpointed < log, 'the commit has not moved it');
  await checkpoints.ended();
  assert.equal(logState().checkpointed, log);
});

test('the log is reused from its start once all of it is in the database', async (t) => {
  const { checkpoints, commit, logState } = openLogged(t);
  commit(9_000);
  commit(10);
  await checkpoints.ended();
  commit(10);
  commit(10);
  assert.ok(logState().log < 100, `the log has ${logState().log} frames`);
});

test('a short log is left alone', async (t) => {
  const { checkpoints, commit, logState } = openLogged(t);
  commit(100);
  await checkpoints.ended();
  assert.equal(logState().checkpointed, 0);
});

test('one thread runs all checkpoints', async (t) => {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on('worker', count);
  t.after(() => void process.off('worker', count));
  const { checkpoints, commit } = openLogged(t);
  for (let round = 0; round < 3; round += 1) {
    commit(9_000);
    await checkpoints.ended();
  }
  assert.equal(threads, 1);
});

test('a log that grows faster than the thread empties it is emptied before the next write', async (t) => {
  const { commit, logState } = openLogged(t);
  commit(33_000);
  const { log, checkpointed } = logState();
  assert.ok(log >= 33_000);
  assert.equal(checkpointed, log);
});

test('if the thread cannot open the file, SQLite runs its own checkpoints, and no file is created', async (t) => {
  const { path, connection, checkpoints, commit } = openLogged(t);
  const interval = () => connection.prepare('pragma wal_autocheckpoint').get()?.wal_autocheckpoint;
  assert.equal(interval(), 0);
  renameSync(path, `${path}.aside`);
  commit(9_000);
  await checkpoints.ended();
  assert.equal(interval(), 8_000);
  assert.equal(existsSync(path), false);
  renameSync(`${path}.aside`, path);
  commit(10);
});

test('closing waits for a running checkpoint and ends the thread', async (t) => {
  const started = once(process, 'worker') as Promise<[Worker]>;
  const { checkpoints, commit, logState } = openLogged(t);
  commit(9_000);
  const [thread] = await started;
  const exit = once(thread, 'exit');
  await checkpoints.close();
  const { log, checkpointed } = logState();
  assert.equal(checkpointed, log);
  await exit;
});
