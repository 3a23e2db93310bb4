import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { Deadline } from '../../../time/deadline.ts';
import { OutcomeUnknownError } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { connect } from '../connections/connection.ts';
import { GroupTransaction, type Job } from './group-transaction.ts';
import { ThreadEndedError } from './statement-thread.ts';
import { beginStatement, LocalWriter, type Writer } from './writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-transaction-'));
const path = join(folder, 'group.db');
const connected = connect(path);
const { connection } = connected;
connection.exec('pragma journal_mode = wal; create table entry (n integer primary key) strict');

after(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => connection.exec('delete from entry'));

/** A job that notes each of its runs. */
function jobOf(n: number, runs: number[], { fails = false, deadline }: Partial<JobOptions> = {}): Job {
  const run = async () => {
    runs.push(n);
    connection.prepare('insert into entry values (?)').run(n);
    if (fails) throw new Error(`refused ${n}`);
    return n;
  };
  return { run, resolve: () => {}, reject: () => runs.push(-n), deadline };
}

interface JobOptions {
  readonly fails: boolean;
  readonly deadline: Deadline | undefined;
}

function newTransaction() {
  const transaction = new GroupTransaction(new LocalWriter(connected), { lockWaitMs: 20 });
  const runGroup = async (group: readonly Job[]) => {
    const outcomes = await transaction.run(await transaction.begin(group));
    if (transaction.isOpen) await transaction.commit();
    return outcomes.map((outcome) => ('error' in outcome ? String(outcome.error) : outcome.value));
  };
  return { transaction, runGroup };
}

const entries = () =>
  connection
    .prepare('select n from entry order by n')
    .all()
    .map(({ n }) => Number(n));

test('each write of a group runs once while none fails', async () => {
  const runs: number[] = [];
  assert.deepEqual(await newTransaction().runGroup([jobOf(1, runs), jobOf(2, runs)]), [1, 2]);
  assert.deepEqual(runs, [1, 2]);
});

test('when a write fails, the group runs again, and only that write is undone', async () => {
  const runs: number[] = [];
  const group = [jobOf(1, runs), jobOf(2, runs, { fails: true }), jobOf(3, runs)];
  assert.deepEqual(await newTransaction().runGroup(group), [1, 'Error: refused 2', 3]);
  assert.deepEqual(runs, [1, 2, 1, 2, 3]);
  assert.deepEqual(entries(), [1, 3]);
});

test('after a failure the next groups run once, even when their writes fail too', async () => {
  const { runGroup } = newTransaction();
  await runGroup([jobOf(1, []), jobOf(2, [], { fails: true })]);
  const runs: number[] = [];
  const outcomes = await runGroup([jobOf(3, runs), jobOf(4, runs, { fails: true }), jobOf(5, runs)]);
  assert.deepEqual(outcomes, [3, 'Error: refused 4', 5]);
  assert.deepEqual(runs, [3, 4, 5]);
  assert.deepEqual(entries(), [1, 3, 5]);
});

test('sixteen groups without a failure end that', async () => {
  const { runGroup } = newTransaction();
  await runGroup([jobOf(100, []), jobOf(101, [], { fails: true })]);
  for (let n = 1; n <= 16; n++) await runGroup([jobOf(n, [])]);
  const runs: number[] = [];
  await runGroup([jobOf(17, runs), jobOf(18, runs, { fails: true })]);
  assert.deepEqual(runs, [17, 18, 17, 18]);
});

test('a lone write that fails runs once, and leaves no transaction', async () => {
  const { transaction, runGroup } = newTransaction();
  const runs: number[] = [];
  assert.deepEqual(await runGroup([jobOf(1, runs, { fails: true })]), ['Error: refused 1']);
  assert.equal(transaction.isOpen, false);
  assert.deepEqual(runs, [1]);
  assert.deepEqual(entries(), []);
});

test('a write whose time ran out by the second run is refused without effect', async () => {
  const runs: number[] = [];
  let nowMs = 0;
  const deadline = new Deadline(20, { now: () => nowMs });
  const slow = jobOf(2, runs, { fails: true });
  const waits = {
    ...slow,
    run: (session: Session) => {
      nowMs += 20;
      return slow.run(session);
    },
  };
  assert.deepEqual(await newTransaction().runGroup([jobOf(1, runs, { deadline }), waits]), [
    'Error: refused 2',
  ]);
  assert.deepEqual(runs, [1, 2, -1, 2]);
  assert.deepEqual(entries(), []);
});

function diskFault(errcode: number): Error {
  return Object.assign(new Error(`disk fault ${errcode}`), { errcode });
}

const [writeFailed, syncFailed] = [diskFault(778), diskFault(1034)];

/**
 * A transaction whose statements fail as on a failing disk: each run of one takes the next of its errors. A real disk
 * that fails is in failing-disk.test.ts.
 */
function onFailingDisk(t: TestContext, errors: Readonly<Record<string, unknown[]>>) {
  const failing = connect(path);
  t.after(() => failing.connection.close());
  const real = new LocalWriter(failing);
  const statements: string[] = [];
  const writer: Writer = {
    session: real.session,
    get isTransaction() {
      return real.isTransaction;
    },
    begin() {
      writer.control(beginStatement);
    },
    control(sql) {
      statements.push(sql);
      const error = errors[sql]?.shift();
      if (error !== undefined) throw error;
      real.control(sql);
    },
  };
  const noted: unknown[] = [];
  const health = {
    requireIntact: () => {},
    changedFile: () => undefined,
    noteCommit: (error: unknown) => noted.push(error),
    noteLockTaken: () => {},
    noteLockMissed: () => false,
    writeFailed: false,
  };
  const transaction = new GroupTransaction(writer, { lockWaitMs: 20, health });
  const begin = async () => {
    await transaction.begin([jobOf(1, [])]);
    failing.connection.prepare('insert into entry values (1)').run();
    statements.length = 0;
  };
  return { writer, transaction, begin, noted, statements };
}

test('a commit whose sync failed has failed for certain once the log is overwritten', async (t) => {
  connection.exec('pragma user_version = 7');
  const { transaction, begin, statements } = onFailingDisk(t, { commit: [syncFailed] });
  await begin();
  await assert.rejects(transaction.commit(), syncFailed);
  assert.equal(transaction.isOpen, false);
  assert.deepEqual(entries(), []);
  const overwrite = ['begin immediate', 'pragma user_version = 7', 'commit'];
  assert.deepEqual(statements, ['commit', 'rollback', ...overwrite]);
});

test('if the log cannot be overwritten either, the outcome is unknown, and no transaction stays open', async (t) => {
  for (const overwrite of ['begin immediate', 'pragma user_version = 7', 'commit']) {
    const errors = { commit: [syncFailed], 'begin immediate': [], [overwrite]: [] as unknown[] };
    const { transaction, begin } = onFailingDisk(t, errors);
    await begin();
    errors.commit = [syncFailed];
    errors[overwrite]?.push(syncFailed);
    await assert.rejects(
      transaction.commit(),
      (error) => error instanceof OutcomeUnknownError && !error.claimed && error.cause === syncFailed,
    );
    assert.equal(transaction.isOpen, false, overwrite);
  }
});

test('a commit that failed before its last page was written has failed for certain', async (t) => {
  const { transaction, begin, statements } = onFailingDisk(t, { commit: [writeFailed] });
  await begin();
  await assert.rejects(transaction.commit(), writeFailed);
  assert.deepEqual(statements, ['commit', 'rollback']);
});

test('a thread that ends during a commit leaves the outcome unknown, and nothing is written after it', async (t) => {
  const ended = new ThreadEndedError(new Error('out of memory'));
  const { transaction, begin, statements } = onFailingDisk(t, { commit: [ended] });
  await begin();
  await assert.rejects(
    transaction.commit(),
    (error) => error instanceof OutcomeUnknownError && !error.claimed && error.cause === ended,
  );
  assert.deepEqual(statements, ['commit']);
  await transaction.rollBack();
});

test('where SQLite has rolled back by itself, nothing is rolled back, and no failure is noted', async (t) => {
  const { transaction, noted, statements } = onFailingDisk(t, {});
  await transaction.rollBack();
  assert.deepEqual([noted, statements], [[], []]);
});

test('a rollback that fails is noted, and the writes get the error of their commit', async (t) => {
  const rollbackFailed = diskFault(266);
  const errors = { commit: [writeFailed, writeFailed], rollback: [rollbackFailed, rollbackFailed] };
  const { writer, transaction, begin, noted } = onFailingDisk(t, errors);
  await begin();
  await assert.rejects(transaction.commit(), writeFailed);
  assert.deepEqual(noted, [rollbackFailed]);
  assert.equal(transaction.isOpen, true);
  const unwatched = new GroupTransaction(writer, { lockWaitMs: 20 });
  await assert.rejects(unwatched.commit(), writeFailed);
  await transaction.begin([jobOf(1, [])]);
  assert.deepEqual(entries(), []);
  await transaction.rollBack();
});
