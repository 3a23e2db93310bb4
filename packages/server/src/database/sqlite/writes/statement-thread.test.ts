import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { connect } from '../connections/connection.ts';
import { StatementThread, ThreadEndedError } from './statement-thread.ts';

/** Makes a small database, and opens it in a thread. */
async function openThread(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-statements-'));
  const path = join(folder, 'test.db');
  const { connection } = connect(path);
  connection.exec('pragma journal_mode = wal; create table entry (n integer primary key) strict');
  const started = once(process, 'worker') as Promise<[Worker]>;
  const thread = await StatementThread.open(path, () => {});
  const [worker] = await started;
  t.after(async () => {
    await thread.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  const entries = () =>
    connection
      .prepare('select n from entry order by n')
      .all()
      .map(({ n }) => Number(n));
  return { path, thread, worker, entries };
}

/** Opens a file with a check that throws on its n-th call. Returns the threads that started. */
async function refuseOpening(path: string, refusedUse: number): Promise<readonly Worker[]> {
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on('worker', note);
  let uses = 0;
  const opening = StatementThread.open(path, () => {
    uses += 1;
    if (uses === refusedUse) throw new Error('replaced');
  });
  await assert.rejects(opening, /replaced/);
  // A thread is announced one iteration of the event loop after it was started.
  await new Promise((resume) => setImmediate(resume));
  process.off('worker', note);
  return started;
}

/** A statement that keeps the thread busy for some tens of milliseconds. */
const slow =
  'with recursive n (i) as (select 1 union all select i + 1 from n limit 300000) select max(i) from n';

const insert = (thread: StatementThread, n: unknown) =>
  thread.ask('run', 'insert into entry values (?)', [n]);

/** Counts the ports that keep this process alive. */
const portsInUse = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

test('the process may end while nothing is asked of the thread, and not before the last answer', async (t) => {
  const { thread } = await openThread(t);
  const portsWhenIdle = portsInUse();
  const first = thread.ask('run', 'select 1', []);
  const second = thread.ask('run', slow, []);
  await first;
  assert.equal(portsInUse(), portsWhenIdle + 1);
  await second;
  assert.equal(portsInUse(), portsWhenIdle);
});

test('no thread starts for a file that was replaced, and one that has started for it ends', async (t) => {
  const { path } = await openThread(t);
  assert.deepEqual(await refuseOpening(path, 1), []);
  for (const use of [2, 3]) {
    const threads = await refuseOpening(path, use);
    assert.deepEqual(
      threads.map(({ threadId }) => threadId),
      [-1],
    );
  }
});

test('closing lets the thread finish what it was asked before, so that a commit under way is answered', async (t) => {
  const { thread, entries } = await openThread(t);
  await thread.ask('control', 'begin immediate');
  await insert(thread, 1);
  const committing = Promise.all([thread.ask('run', slow, []), thread.ask('control', 'commit')]);
  await Promise.all([committing, thread.close()]);
  assert.deepEqual(entries(), [1]);
});

test('a value that cannot be sent to the thread fails alone: later answers still belong to their requests', async (t) => {
  const { thread } = await openThread(t);
  await thread.ask('control', 'begin immediate');
  await assert.rejects(
    insert(thread, () => {}),
    /could not be cloned/,
  );
  await thread.ask('control', 'rollback');
  assert.equal(thread.isTransaction, false);
  const portsWhenIdle = portsInUse();
  assert.deepEqual(await thread.ask('run', 'select 7 as n', []), {
    names: ['n'],
    rows: { count: 1, columns: [BigInt64Array.of(7n)] },
  });
  assert.equal(portsInUse(), portsWhenIdle);
});

test('a fault of the thread fails what is asked of it then and later, with that fault as the cause', async (t) => {
  const { thread, worker } = await openThread(t);
  await thread.ask('control', 'begin immediate');
  // No request at all: the thread cannot even answer with an error.
  worker.postMessage(null);
  const isFault = (error: unknown) =>
    error instanceof ThreadEndedError && /destructure/.test(String(error.cause));
  await assert.rejects(thread.ask('control', 'commit'), isFault);
  assert.deepEqual([thread.isEnded, thread.isTransaction], [true, false]);
  await assert.rejects(thread.ask('run', 'select 1', []), isFault);
});

test('a thread whose connection cannot be closed ends too', async (t) => {
  const { thread, worker } = await openThread(t);
  const ended = once(worker, 'exit');
  // Two at once: the second one finds the connection closed.
  const closings = await Promise.allSettled([thread.ask('close' as 'control', ''), thread.close()]);
  assert.match(String((closings[1] as PromiseRejectedResult).reason), /database is not open/);
  await ended;
});
