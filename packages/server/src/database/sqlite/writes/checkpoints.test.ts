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
  connection.exec('pragma journal_mode = wal; pragma synchronous = off');
  connection.exec('create table entry (text); create table counter (n); insert into counter values (0)');
  const insert = connection.prepare('insert into entry values (?)');
  const notices: string[] = [];
  const checkpoints = new Checkpoints(connection, path, (_fields, message) => notices.push(message));
  const logState = () =>
    connection.prepare('pragma wal_checkpoint(noop)').get() as Record<'log' | 'checkpointed', number>;
  const count = connection.prepare('update counter set n = n + 1');
  /** Makes commits of one frame each, then runs a checkpoint if one is due. */
  function commitFrames(frames: number) {
    for (let left = frames; left > 0; left -= 1) count.run();
    return checkpoints.runIfDue();
  }
  t.after(async () => {
    await checkpoints.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  return {
    path,
    connection,
    checkpoints,
    notices,
    /** Commits rows, each of which takes one page of the log. */
    commit(rows: number) {
      connection.exec('begin');
      for (let row = 0; row < rows; row++) insert.run('x'.repeat(rowBytes));
      connection.exec('commit');
      checkpoints.runIfDue();
    },
    commitFrames,
    /** Commits until that many frames of the log are not in the database, then runs a checkpoint if one is due. */
    commitUntil(frames: number) {
      const { log, checkpointed } = logState();
      return commitFrames(frames - (log - checkpointed));
    },
    logState,
  };
}

/** Returns the next thread that this process starts. */
async function nextThread(): Promise<Worker> {
  const [thread] = (await once(process, 'worker')) as [Worker];
  return thread;
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

test('a log of fewer than 8,000 frames is left alone', async (t) => {
  const { checkpoints, commitUntil, logState } = openLogged(t);
  commitUntil(7_999);
  await checkpoints.ended();
  assert.equal(logState().checkpointed, 0);
  commitUntil(8_000);
  await checkpoints.ended();
  assert.equal(logState().checkpointed, 8_000);
});

/** Makes a thread leave that many frames, because a reader still needs the state before them. */
async function leaveRemainder(t: TestContext, frames: number) {
  const logged = openLogged(t);
  logged.commitUntil(8_000 - (frames - 1));
  const reader = new DatabaseSync(logged.path);
  reader.exec('begin; select * from counter');
  const started = nextThread();
  logged.commitUntil(8_000);
  const thread = await started;
  await logged.checkpoints.ended();
  reader.close();
  const { log, checkpointed } = logged.logState();
  assert.equal(log - checkpointed, frames - 1);
  const asked = t.mock.method(thread, 'postMessage');
  logged.commitUntil(frames);
  return { ...logged, asked: () => asked.mock.callCount() };
}

test('what a thread leaves is moved by the next commit, which then leaves the log alone again', async (t) => {
  const { asked, commitUntil, logState } = await leaveRemainder(t, 500);
  const { log, checkpointed } = logState();
  assert.deepEqual([asked(), log - checkpointed], [0, 0]);
  commitUntil(1);
  assert.equal(logState().log - logState().checkpointed, 1);
});

test('if a thread leaves more than 500 frames, it is asked again, and not twice at once', async (t) => {
  const { asked, checkpoints, commitFrames, logState } = await leaveRemainder(t, 501);
  commitFrames(1);
  assert.equal(asked(), 1);
  await checkpoints.ended();
  const remaining = () => logState().log - logState().checkpointed;
  // A thread that runs beside a commit may stop at the frame that the commit still reads; the next commit asks again.
  for (let commits = 0; commits < 10 && remaining() > 1; commits += 1) {
    commitFrames(1);
    await checkpoints.ended();
  }
  assert.ok(remaining() <= 1, `${remaining()} frames have not been moved`);
});

test('an SQLite before 3.51 runs its own checkpoints, because it does not report the length of its log', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-checkpoints-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const isLeftAlone = (version: string) => {
    const path = join(folder, version);
    const connection = new DatabaseSync(path);
    connection.function('sqlite_version', () => version);
    const interval = () => connection.prepare('pragma wal_autocheckpoint').get()?.wal_autocheckpoint;
    const before = interval();
    new Checkpoints(connection, path).runIfDue();
    const after = interval();
    connection.close();
    return after === before;
  };
  for (const version of ['2.99.0', '3.50.4']) assert.equal(isLeftAlone(version), true, version);
  for (const version of ['3.51.0', '3.52.1', '4.0.0']) assert.equal(isLeftAlone(version), false, version);
});

test('one thread runs all checkpoints', async (t) => {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on('worker', count);
  t.after(() => void process.off('worker', count));
  const { checkpoints, commit, logState } = openLogged(t);
  for (let round = 0; round < 3; round += 1) {
    commit(9_000);
    await checkpoints.ended();
    assert.equal(logState().checkpointed, logState().log, `round ${round}`);
  }
  assert.equal(threads, 1);
});

test('a thread that is done while a transaction is open is asked again', async (t) => {
  const { checkpoints, connection, commit, logState } = openLogged(t);
  const started = nextThread();
  commit(9_000);
  const asked = t.mock.method(await started, 'postMessage');
  connection.exec('begin immediate');
  await checkpoints.ended();
  connection.exec('commit');
  commit(9_000);
  assert.equal(asked.mock.callCount(), 1);
  await checkpoints.ended();
  assert.equal(logState().checkpointed, logState().log);
});

test('a thread, not the commit, moves a single write of any size', async (t) => {
  const { checkpoints, commitUntil, logState } = openLogged(t);
  assert.equal(commitUntil(40_000), undefined);
  assert.ok(logState().checkpointed < 40_000, 'the commit has not moved it');
  await checkpoints.ended();
  assert.equal(logState().checkpointed, 40_000);
});

test('writes wait for the thread once they have added 24,000 frames to the log that it copies', async (t) => {
  const { checkpoints, commitFrames, commitUntil, logState } = openLogged(t);
  assert.equal(commitUntil(8_000), undefined);
  assert.equal(commitFrames(23_999), undefined);
  const wait = commitFrames(1);
  assert.ok(wait instanceof Promise);
  await wait;
  // Each write waits from now on, so that the thread catches up.
  for (let left = 2; left > 0; left -= 1) {
    await commitFrames(1);
    await checkpoints.ended();
  }
  commitFrames(1);
  assert.ok(logState().log < 100, `the log has ${logState().log} frames`);
});

test('writes do not wait while a reader keeps the log from being copied, which happens afterwards', async (t) => {
  const { path, checkpoints, commitFrames, commitUntil, logState } = openLogged(t);
  commitFrames(1);
  await checkpoints.ended();
  const reader = new DatabaseSync(path);
  reader.exec('begin; select * from counter');
  commitUntil(8_000);
  await checkpoints.ended();
  commitFrames(500);
  await checkpoints.ended();
  commitFrames(30_000);
  assert.equal(commitFrames(1), undefined);
  await checkpoints.ended();
  reader.close();
  commitFrames(500);
  await checkpoints.ended();
  const { log, checkpointed } = logState();
  assert.ok(log > 38_000 && checkpointed === log);
});

test('if the thread cannot open the file, SQLite runs its own checkpoints, and no file is created', async (t) => {
  const { path, connection, checkpoints, commit, notices } = openLogged(t);
  const interval = () => connection.prepare('pragma wal_autocheckpoint').get()?.wal_autocheckpoint;
  assert.equal(interval(), 0);
  renameSync(path, `${path}.aside`);
  commit(9_000);
  await checkpoints.ended();
  assert.equal(interval(), 8_000);
  assert.equal(existsSync(path), false);
  assert.equal(notices.length, 1);
  renameSync(`${path}.aside`, path);
  commit(10);
});

test('a checkpoint that fails is no failure of the commit before it, and SQLite runs the later ones', async (t) => {
  const { checkpoints, connection, commitFrames, commitUntil, notices } = openLogged(t);
  commitUntil(8_000);
  await checkpoints.ended();
  // SQLite refuses a checkpoint within a transaction.
  connection.exec('begin immediate');
  assert.equal(commitFrames(0), undefined);
  connection.exec('rollback');
  const { wal_autocheckpoint: interval } = connection.prepare('pragma wal_autocheckpoint').get() ?? {};
  assert.equal(interval, 8_000);
  assert.match(
    notices.join(),
    /^the log of the database could not be copied into it; from now on, commits copy it/,
  );
  assert.equal(commitFrames(1), undefined);
});

test('closing waits for a running checkpoint and ends the thread', async (t) => {
  const started = nextThread();
  const { checkpoints, commit, logState } = openLogged(t);
  commit(9_000);
  const thread = await started;
  const exit = once(thread, 'exit');
  await checkpoints.close();
  const { log, checkpointed } = logState();
  assert.equal(checkpointed, log);
  await exit;
});
