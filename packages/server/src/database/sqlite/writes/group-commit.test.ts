import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { BusyError } from '../../../errors/busy-error.ts';
import type { Distribution } from '../../../metrics/distribution.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { OutcomeUnknownError } from '../../database.ts';
import { connect } from '../connections/connection.ts';
import { isBusy } from '../errors/retry-while-busy.ts';
import { DatabaseHealth } from '../files/database-health.ts';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { LocalWriter } from './writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-group-'));
const path = join(folder, 'group.db');
const { connection, session } = connect(path);
const another = new DatabaseSync(path, { timeout: 0 });
connection.exec('pragma journal_mode = wal; create table entry (n integer primary key) strict');
connection.exec('pragma busy_timeout = 0');

after(() => {
  connection.close();
  another.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  connection.exec('delete from entry; pragma wal_checkpoint(truncate)');
});

function insert(n: number): void {
  connection.prepare('insert into entry values (?)').run(n);
}

function entries(): unknown[] {
  return another
    .prepare('select n from entry order by n')
    .all()
    .map((row) => row.n);
}

const walHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Counts the transactions in the log since it was emptied: the last frame of each contains the database's size. */
function committedTransactions(): number {
  const wal = readFileSync(`${path}-wal`);
  if (wal.length === 0) return 0;
  const frameBytes = frameHeaderBytes + wal.readUInt32BE(8);
  let commits = 0;
  for (let at = walHeaderBytes; at + frameBytes <= wal.length; at += frameBytes) {
    if (wal.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

function newGroupCommit(options: Partial<GroupCommitOptions> = {}): GroupCommit {
  return new GroupCommit(new LocalWriter({ connection, session }), {
    waitingMax: 1000,
    lockWaitMs: 20,
    ...options,
  });
}

/** Returns the durations of the commits in seconds, and their writes. */
function distributionsOf({ commits }: GroupCommit) {
  return commits
    .metricSources()
    .map(({ read }) => (read() as readonly { distribution: Distribution }[])[0]?.distribution);
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('the next write waits for what follows a commit, and the one before does not', async () => {
  const { promise: emptied, resolve } = Promise.withResolvers<void>();
  const group = newGroupCommit({ onCommit: () => emptied });
  await group.submit(async () => insert(1));
  const second = group.submit(async () => insert(2));
  // Without the wait, the group would begin in the second iteration from here.
  for (let iterations = 0; iterations < 10; iterations += 1) await nextIteration();
  assert.deepEqual([entries(), group.waiting], [[1], 1]);
  resolve();
  await second;
  assert.deepEqual(entries(), [1, 2]);
});

test('writes that arrive together share one transaction', async () => {
  const group = newGroupCommit();
  const results = await Promise.all(
    numbers(50).map((n) =>
      group.submit(async () => {
        insert(n);
        return n * 2;
      }),
    ),
  );
  assert.deepEqual(
    results,
    numbers(50).map((n) => n * 2),
  );
  assert.deepEqual(entries(), numbers(50));
  assert.equal(committedTransactions(), 1);
});

test('more writes than fit into a group take several transactions, in their order', async () => {
  const group = newGroupCommit();
  const order: number[] = [];
  await Promise.all(
    numbers(200).map((n) =>
      group.submit(async () => {
        order.push(n);
        insert(n);
      }),
    ),
  );
  assert.deepEqual(order, numbers(200));
  assert.equal(committedTransactions(), 4);
});

test('other work of the event loop is done between two groups', async () => {
  const group = newGroupCommit();
  const order: unknown[] = [];
  await Promise.all(
    numbers(65).map((n) =>
      group.submit(async () => {
        order.push(n);
        if (n === 63) setImmediate(() => order.push('other work'));
      }),
    ),
  );
  assert.deepEqual(order.slice(63), [63, 'other work', 64]);
});

test('a failing member is undone alone and gets its own error', async () => {
  const group = newGroupCommit();
  const failure = new Error('mine');
  const outcomes = await Promise.allSettled(
    numbers(5).map((n) =>
      group.submit(async () => {
        insert(n);
        if (n === 2) throw failure;
      }),
    ),
  );
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  assert.equal((outcomes[2] as PromiseRejectedResult).reason, failure);
  assert.deepEqual(entries(), [0, 1, 3, 4]);
  assert.equal(committedTransactions(), 1);
});

test('every outcome, refusals included, is reported only after the commit', async () => {
  const group = newGroupCommit();
  const seen: [string, unknown[]][] = [];
  await Promise.allSettled([
    group.submit(async () => insert(1)).then(() => seen.push(['done', entries()])),
    group.submit(() => Promise.reject(new Error('refused'))).catch(() => seen.push(['refused', entries()])),
    group.submit(async () => insert(2)),
  ]);
  assert.deepEqual(seen, [
    ['done', [1, 2]],
    ['refused', [1, 2]],
  ]);
});

test('a failed commit rejects every member and keeps nothing, and later writes go on', async () => {
  const group = newGroupCommit();
  connection.exec(
    'pragma foreign_keys = on; create table if not exists child (n integer references entry deferrable initially deferred) strict',
  );
  const outcomes = await Promise.allSettled([
    group.submit(async () => insert(1)),
    group.submit(async () => connection.exec('insert into child values (99)')),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  );
  for (const outcome of outcomes) {
    assert.match(String((outcome as PromiseRejectedResult).reason), /FOREIGN KEY constraint failed/);
  }
  assert.deepEqual(entries(), []);
  // The failed group no longer holds a lock.
  another.exec('begin immediate; rollback');
  await group.submit(async () => insert(3));
  assert.deepEqual(entries(), [3]);
});

test('when too many writes wait, one more is refused as busy at once, and the waiting ones succeed', async () => {
  const group = newGroupCommit({ waitingMax: 3 });
  const writes = numbers(5).map((n) => group.submit(async () => insert(n)));
  const outcomes = await Promise.allSettled(writes);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 2);
  assert(refused.every(({ reason }) => reason instanceof BusyError));
  assert.deepEqual(entries(), [0, 1, 2]);
});

test('a lock held longer than the wait refuses the group as busy, and nothing runs', async () => {
  const group = newGroupCommit();
  another.exec('begin immediate');
  let ran = 0;
  const write = () =>
    group.submit(async () => {
      ran += 1;
    });
  const outcomes = await Promise.allSettled([write(), write()]);
  another.exec('rollback');
  assert(
    outcomes.every(
      (outcome) =>
        outcome.status === 'rejected' && outcome.reason instanceof BusyError && isBusy(outcome.reason.cause),
    ),
  );
  assert.equal(ran, 0);
  await write();
  assert.equal(ran, 1);
});

test('a lock released in time is waited for', async () => {
  const group = newGroupCommit({ lockWaitMs: 60_000 });
  another.exec('begin immediate');
  const writing = group.submit(async () => insert(7));
  setTimeout(() => another.exec('commit'), 30);
  await writing;
  assert.deepEqual(entries(), [7]);
});

test('closing waits until nothing waits or runs, and then no write is accepted', async () => {
  const group = newGroupCommit();
  const writes = numbers(100).map((n) => group.submit(async () => insert(n)));
  await group.close();
  assert.equal(entries().length, 100);
  await Promise.all(writes);
  await assert.rejects(
    group.submit(async () => insert(101)),
    BusyError,
  );
});

test('a commit is announced once for its group, and a failed one is not', async () => {
  const announced: unknown[][] = [];
  const group = newGroupCommit({ onCommit: () => void announced.push(entries()) });
  await Promise.all([1, 2].map((n) => group.submit(async () => insert(n))));
  connection.exec('pragma query_only = on');
  await assert.rejects(
    group.submit(async () => insert(3)),
    BusyError,
  );
  connection.exec('pragma query_only = off');
  assert.deepEqual(announced, [[1, 2]]);
});

test('a write that makes SQLite roll back the whole transaction fails its group, and keeps nothing', async () => {
  const group = newGroupCommit();
  const outcomes = await Promise.allSettled([
    group.submit(async () => insert(1)),
    group.submit(async () => connection.exec('insert or rollback into entry values (1)')),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  );
  for (const outcome of outcomes) {
    assert.match(String((outcome as PromiseRejectedResult).reason), /UNIQUE constraint failed/);
  }
  assert.deepEqual(entries(), []);
});

test('a transaction that could not be rolled back earlier is undone before the next group', async () => {
  const group = newGroupCommit();
  connection.exec('begin');
  insert(5);
  await group.submit(async () => insert(6));
  assert.deepEqual(entries(), [6]);
});

test('a group waits only for locks: any other failure to begin refuses it at once', async () => {
  const damagedPath = join(folder, 'damaged.db');
  writeFileSync(damagedPath, 'x'.repeat(4096));
  const damaged = new DatabaseSync(damagedPath);
  const writer = new LocalWriter({ connection: damaged, session });
  const group = new GroupCommit(writer, { waitingMax: 10, lockWaitMs: Number.POSITIVE_INFINITY });
  await assert.rejects(
    group.submit(async () => {}),
    /is damaged/,
  );
  damaged.close();
});

test('a file that is replaced during a commit leaves the outcome unknown', async () => {
  const health = new DatabaseHealth(path);
  health.watchFiles();
  const aside = `${path}-aside`;
  const group = newGroupCommit({
    health: {
      requireIntact: () => health.requireIntact(),
      noteCommit: (error) => health.noteCommit(error),
      noteLockTaken: () => {},
      noteLockMissed: () => false,
      writeFailed: false,
      changedFile: () => {
        renameSync(path, aside);
        return health.changedFile();
      },
    },
  });
  await assert.rejects(
    group.submit(async () => insert(1)),
    (error) =>
      error instanceof OutcomeUnknownError &&
      !error.claimed &&
      /removed or replaced/.test(String(error.cause)),
  );
  renameSync(aside, path);
});

test('closing an idle group ends at once, and several calls wait for the same end', async () => {
  await newGroupCommit().close();
  const group = newGroupCommit();
  const writing = group.submit(async () => insert(1));
  await Promise.all([group.close(), group.close()]);
  assert.deepEqual(entries(), [1]);
  await writing;
  await group.close();
});

test('writes that arrive after a group has ended form a new group', async () => {
  const group = newGroupCommit();
  for (const n of [1, 2, 3]) await group.submit(async () => insert(n));
  assert.deepEqual(entries(), [1, 2, 3]);
  assert.equal(committedTransactions(), 3);
});

test('the event loop serves others between the writes of a group that takes long, with and without savepoints', async (t) => {
  const startedMs = performance.now();
  let passedMs = 0;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  const group = newGroupCommit();
  for (const failing of [false, true]) {
    const served: number[] = [];
    const begun: number[] = [];
    const writes = numbers(4).map((n) =>
      group.submit(async () => {
        begun.push(n);
        passedMs += 10;
        setImmediate(() => served.push(begun.length));
        if (failing && n === 0) throw new Error('refused');
      }),
    );
    await Promise.allSettled(writes);
    // The first write fails alone, and the whole group runs again.
    assert.deepEqual(served.slice(failing ? 1 : 0, failing ? 4 : 3), failing ? [2, 3, 4] : [1, 2, 3]);
  }
});

test('writes of one application that keep waiting are cut to 256, the oldest first, and its next one is refused at once', async (t) => {
  const group = newGroupCommit();
  const startedMs = performance.now();
  let passedMs = 0;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  const submit = (n: number, owner: string, patient = false) =>
    runUnderDeadline(new Deadline(60_000, { owner, patient }), () => group.submit(async () => insert(n)));
  const oldest = submit(303, 'busy', true);
  const writes = numbers(300).map((n) => submit(n, 'busy'));
  passedMs = 501;
  const expected = { name: 'BusyError', message: /too many writes of this application are waiting/ };
  await assert.rejects(submit(300, 'busy'), expected);
  const newest = submit(301, 'busy', true);
  const other = submit(302, 'other');
  const outcomes = await Promise.allSettled(writes);
  const refused = outcomes.flatMap((outcome, n) => (outcome.status === 'rejected' ? [n] : []));
  // The two bulk writes are not refused, and take no room from the others.
  assert.deepEqual(refused, numbers(44));
  await assert.rejects(writes[0] as Promise<void>, expected);
  await Promise.all([oldest, newest, other]);
  assert.equal(entries().length, 256 + 3);
});

test("however many of the server's own writes wait, none is refused as too many of an application", async (t) => {
  const group = newGroupCommit();
  const startedMs = performance.now();
  let passedMs = 0;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  const writes = numbers(300).map((n) => group.submit(async () => insert(n)));
  passedMs = 501;
  await Promise.all([...writes, group.submit(async () => insert(300))]);
  assert.equal(entries().length, 301);
});

test('a write that costs two rounds lets the other applications go first', async () => {
  const group = newGroupCommit();
  const order: string[] = [];
  const submit = (name: string, owner: string, cost: number) =>
    runUnderDeadline(new Deadline(60_000, { owner, cost }), () =>
      group.submit(async () => void order.push(name)),
    );
  await Promise.all([submit('costly', 'a', 2), submit('first', 'b', 1), submit('second', 'b', 1)]);
  assert.deepEqual(order, ['first', 'costly', 'second']);
});

test('a commit counts its writes and its time, and clears an earlier failure of the disk', async () => {
  const reported: unknown[] = [];
  const health = new DatabaseHealth(path);
  const group = newGroupCommit({
    health: {
      requireIntact: () => health.requireIntact(),
      changedFile: () => health.changedFile(),
      noteCommit: (error) => reported.push(error),
      noteLockTaken: () => {},
      noteLockMissed: () => false,
      writeFailed: false,
    },
  });
  const startedMs = performance.now();
  await Promise.all([1, 2].map((n) => group.submit(async () => insert(n))));
  const passedSeconds = (performance.now() - startedMs) / 1000;
  const [durations, writes] = distributionsOf(group);
  assert.deepEqual([writes?.count, writes?.sum, durations?.count], [1, 2, 1]);
  assert.ok(durations !== undefined && durations.sum > 0 && durations.sum <= passedSeconds);
  assert.deepEqual(reported, [undefined]);
});

test('a group in which every write failed commits nothing, is not announced, and leaves no lock', async () => {
  let announced = 0;
  const group = newGroupCommit({ onCommit: () => void announced++ });
  await assert.rejects(
    group.submit(() => Promise.reject(new Error('refused'))),
    /refused/,
  );
  const [durations] = distributionsOf(group);
  assert.deepEqual([announced, durations?.count], [0, 0]);
  const failing = () => group.submit(() => Promise.reject(new Error('refused')));
  // The second group runs in savepoints, because a write of the first one failed.
  await Promise.allSettled([failing(), failing()]);
  await Promise.allSettled([failing(), failing()]);
  another.exec('begin immediate; rollback');
});

test('a write whose transaction is gone when it ends is not acknowledged', async () => {
  const group = newGroupCommit();
  const gone = group.submit(async () => {
    insert(1);
    connection.exec('rollback');
  });
  await assert.rejects(gone, /no transaction is active/);
  assert.deepEqual(entries(), []);
});

describe('a write whose call has a deadline', () => {
  const within = <T>(deadline: Deadline, work: () => Promise<T>) => runUnderDeadline(deadline, work);

  test('is refused at its deadline while another process keeps the lock, and the others keep waiting', async () => {
    const group = newGroupCommit({ lockWaitMs: 60_000 });
    another.exec('begin immediate');
    const patient = group.submit(async () => insert(1));
    const late = within(new Deadline(20), () => group.submit(async () => insert(2)));
    await assert.rejects(late, /ran out of time while the write waited/);
    another.exec('rollback');
    await patient;
    assert.deepEqual(entries(), [1]);
  });

  test('is refused at its deadline while a bulk write of the same process runs, and the others keep waiting', async () => {
    const group = newGroupCommit();
    const bulk = Promise.withResolvers<void>();
    const running = within(new Deadline(60_000, { bulk: true }), () => group.submit(() => bulk.promise));
    const patient = within(new Deadline(60_000), () => group.submit(async () => insert(1)));
    const late = within(new Deadline(20), () => group.submit(async () => insert(2)));
    await assert.rejects(late, /ran out of time while the write waited/);
    bulk.resolve();
    await Promise.all([running, patient]);
    assert.deepEqual(entries(), [1]);
  });

  test('is not run after its deadline', async () => {
    const group = newGroupCommit();
    let nowMs = 0;
    const deadline = new Deadline(20, { now: () => nowMs });
    const late = within(deadline, () => group.submit(async () => insert(1)));
    nowMs = 20;
    await assert.rejects(late, BusyError);
    assert.deepEqual(entries(), []);
  });

  test('shares a transaction with other small writes, while each bulk write has its own', async () => {
    const group = newGroupCommit();
    const submit = (n: number, bulk: boolean) =>
      within(new Deadline(60_000, { bulk }), () => group.submit(async () => insert(n)));
    await Promise.all([submit(1, false), submit(2, false)]);
    assert.equal(committedTransactions(), 1);
    await Promise.all([submit(3, true), submit(4, true), submit(5, false), submit(6, false)]);
    assert.equal(committedTransactions(), 4);
    assert.deepEqual(entries(), [1, 2, 3, 4, 5, 6]);
  });

  test('keeps no bulk write that comes after it from running, although nothing else arrives', async () => {
    const group = newGroupCommit();
    const single = group.submit(async () => insert(1));
    const bulk = within(new Deadline(60_000, { bulk: true }), () => group.submit(async () => insert(2)));
    assert.equal(group.waiting, 2);
    await single;
    assert.equal(group.waiting, 1);
    await bulk;
    assert.deepEqual(entries(), [1, 2]);
  });

  test('is answered before a later bulk write, and shares no transaction with it', async () => {
    const group = newGroupCommit();
    const bulk = Promise.withResolvers<void>();
    const single = group.submit(async () => insert(1));
    const running = within(new Deadline(60_000, { bulk: true }), () => group.submit(() => bulk.promise));
    await single;
    assert.deepEqual(entries(), [1]);
    const next = group.submit(async () => insert(2));
    bulk.resolve();
    await Promise.all([running, next]);
    assert.deepEqual(entries(), [1, 2]);
  });
});
