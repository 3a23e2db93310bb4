import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { Deadline } from '../../deadline.ts';
import { OutcomeUnknownError } from '../database.ts';
import { GroupTransaction, type Job } from './group-transaction.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-transaction-'));
const connection = new DatabaseSync(join(folder, 'group.db'));
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
  const transaction = new GroupTransaction(connection, { lockWaitMs: 20 });
  const runGroup = async (group: readonly Job[]) => {
    const outcomes = await transaction.run(await transaction.begin(group));
    if (transaction.isOpen) transaction.commit();
    return outcomes.map((outcome) => ('error' in outcome ? String(outcome.error) : outcome.value));
  };
  return { transaction, runGroup };
}

const entries = () =>
  connection
    .prepare('select n from entry order by n')
    .all()
    .map(({ n }) => n);

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
  const deadline = new Deadline(20);
  const slow = jobOf(2, runs, { fails: true });
  const waits = { ...slow, run: () => new Promise<void>((r) => setTimeout(r, 30)).then(slow.run) };
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
 * Opens a connection whose commits fail as on a failing disk, and whose statements fail where `exec` throws. A real
 * disk that fails is in failing-disk.test.ts.
 */
function onFailingDisk(t: TestContext, commitError: Error, exec: (sql: string) => void = () => {}) {
  const failing = new DatabaseSync(join(folder, 'group.db'));
  t.after(() => failing.close());
  const { prepare, exec: execute } = DatabaseSync.prototype;
  failing.prepare = (sql) => {
    const statement = prepare.call(failing, sql);
    if (sql === 'commit') {
      statement.run = () => {
        throw commitError;
      };
    }
    return statement;
  };
  failing.exec = (sql) => {
    exec(sql);
    execute.call(failing, sql);
  };
  const noted: unknown[] = [];
  const health = {
    requireIntact: () => {},
    changedFile: () => undefined,
    noteCommit: (error: unknown) => noted.push(error),
  };
  const transaction = new GroupTransaction(failing, { lockWaitMs: 20, health });
  const begin = async () => {
    await transaction.begin([jobOf(1, [])]);
    prepare.call(failing, 'insert into entry values (1)').run();
  };
  return { failing, transaction, begin, noted };
}

test('a commit whose sync failed has failed for certain once the log is overwritten', async (t) => {
  connection.exec('pragma user_version = 7');
  const { transaction, begin } = onFailingDisk(t, syncFailed);
  await begin();
  assert.throws(() => transaction.commit(), syncFailed);
  assert.equal(transaction.isOpen, false);
  assert.deepEqual(entries(), []);
  assert.equal(connection.prepare('pragma user_version').get()?.user_version, 7);
});

test('if the log cannot be overwritten either, the outcome is unknown, and no transaction stays open', async (t) => {
  const { failing, transaction, begin } = onFailingDisk(t, syncFailed, (sql) => {
    if (!sql.includes('user_version')) return;
    failing.prepare('begin immediate').run();
    throw syncFailed;
  });
  await begin();
  assert.throws(
    () => transaction.commit(),
    (error) => error instanceof OutcomeUnknownError && !error.claimed && error.cause === syncFailed,
  );
  assert.equal(transaction.isOpen, false);
});

test('a commit that failed before its last page was written has failed for certain', async (t) => {
  const statements: string[] = [];
  const { transaction, begin } = onFailingDisk(t, writeFailed, (sql) => statements.push(sql));
  await begin();
  assert.throws(() => transaction.commit(), writeFailed);
  assert.deepEqual(statements, ['rollback']);
});

test('a rollback that fails is noted, and the writes get the error of their commit', async (t) => {
  const rollbackFailed = diskFault(266);
  let fails = true;
  const { failing, transaction, begin, noted } = onFailingDisk(t, writeFailed, (sql) => {
    if (fails && sql === 'rollback') throw rollbackFailed;
  });
  await begin();
  assert.throws(() => transaction.commit(), writeFailed);
  assert.deepEqual(noted, [rollbackFailed]);
  assert.equal(transaction.isOpen, true);
  const unwatched = new GroupTransaction(failing, { lockWaitMs: 20 });
  assert.throws(() => unwatched.commit(), writeFailed);
  fails = false;
  await transaction.begin([jobOf(1, [])]);
  assert.deepEqual(entries(), []);
  transaction.rollBack();
});
