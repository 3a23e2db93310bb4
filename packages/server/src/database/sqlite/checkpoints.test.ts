import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
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

test('a long log goes into the database in a thread, and not within the commit', async (t) => {
  const { checkpoints, commit, logState } = openLogged(t);
  commit(9_000);
  const { log, checkpointed } = logState();
  assert.ok(log >= 9_000 && checkpointed < log, 'the commit has not moved it');
  await checkpoints.ended();
  assert.equal(logState().checkpointed, log);
});

test('the log begins again at its start once all of it is in the database', async (t) => {
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
