import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { BusyError } from '../../../errors/busy-error.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { type SpanAttributes, setTracer } from '../../../tracing/trace.ts';
import { OutcomeUnknownError } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { connect } from '../connections/connection.ts';
import { DatabaseHealth } from '../files/database-health.ts';
import { GroupCommit } from './group-commit.ts';
import { ThreadEndedError } from './statement-thread.ts';
import { ThreadWriter } from './thread-writer.ts';
import { LocalWriter } from './writer.ts';

/** Opens a small database whose bulk writes are made in a thread. */
function openDatabase(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-thread-'));
  const path = join(folder, 'test.db');
  const connected = connect(path);
  const { connection } = connected;
  connection.exec('pragma journal_mode = wal; pragma busy_timeout = 0');
  connection.exec('create table entry (n integer primary key, content blob) strict');
  const health = new DatabaseHealth(path);
  health.watchFiles();
  const bulkWriter = new ThreadWriter(path, health);
  const options = { waitingMax: 10, lockWaitMs: 20, health, bulkWriter };
  const group = new GroupCommit(new LocalWriter(connected), options);
  t.after(async () => {
    await group.close();
    await bulkWriter.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  return {
    path,
    connection,
    health,
    bulkWriter,
    submit: <T>(run: (session: Session) => Promise<T>) => group.submit(run),
    submitBulk: <T>(run: (session: Session) => Promise<T>) =>
      runUnderDeadline(new Deadline(60_000, { bulk: true }), () => group.submit(run)),
    entries: () =>
      connection
        .prepare('select n from entry order by n')
        .all()
        .map(({ n }) => Number(n)),
  };
}

const insert = (session: Session, n: number) => sql`insert into entry (n) values (${n})`.execute(session.db);

/** Rows in one list, which is filled again for each. */
function* sameListAgain(first: number) {
  const row: unknown[] = [first, null];
  yield row;
  row[0] = 9_007_199_254_740_993n + BigInt(first);
  yield row;
}

/** Keeps the thread busy until it is ended, so that it never gets to the next request. At most for half a minute. */
function keepBusy({ statements }: Session): Promise<void> {
  const tensOfMs =
    'with recursive n (i) as (select 1 union all select i + 1 from n limit 300000) select max(i) from n';
  return Promise.resolve(statements.each(tensOfMs, Array(1_000).fill([])));
}

/** Ends the thread once what this iteration of the event loop asks has been sent to it. */
async function endAfterThisIteration(thread: Worker): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  await thread.terminate();
}

const isThreadEnd = (error: unknown) =>
  error instanceof BusyError && /thread/.test(error.message) && error.cause instanceof ThreadEndedError;

/** Returns the next thread that this process starts. */
async function nextThread(): Promise<Worker> {
  const [thread] = (await once(process, 'worker')) as [Worker];
  return thread;
}

test('a bulk write runs in a thread, which starts with the first one and ends with the writer', async (t) => {
  const { connection, bulkWriter, submit, submitBulk, entries } = openDatabase(t);
  const threads: Worker[] = [];
  const note = (thread: Worker) => void threads.push(thread);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  await submit((session) => insert(session, 1));
  assert.equal(threads.length, 0);
  await submitBulk(async (session) => {
    await insert(session, 2);
    assert.equal(connection.isTransaction, false, 'the transaction is not open on this thread');
    assert.deepEqual(entries(), [1], 'nobody else sees it yet');
  });
  await submitBulk((session) => insert(session, 3));
  await submit((session) => insert(session, 4));
  assert.deepEqual([threads.length, entries()], [1, [1, 2, 3, 4]]);
  const [thread] = threads;
  assert.ok(thread !== undefined && thread.threadId > 0);
  await bulkWriter.close();
  assert.equal(thread.threadId, -1, 'it has ended');
});

test('statements return in a thread what they return on this one', async (t) => {
  const { submit, submitBulk } = openDatabase(t);
  const content = Buffer.from([0, 255, 128]);
  const work = (first: number) => async (session: Session) => {
    const { numAffectedRows, insertId } = await sql`insert into entry values (${first}, ${content})`.execute(
      session.db,
    );
    await session.statements.each('insert into entry values (?, ?)', sameListAgain(first + 1));
    const selected = await session.statements.all('select * from entry where n >= ? order by n', [first]);
    const { rows: none } = await sql`delete from entry`.execute(session.db);
    return { numAffectedRows, insertId: Number(insertId) - first, selected, none };
  };
  const here = await submit(work(1));
  const [expected] = here.selected as { content: Uint8Array }[];
  assert.deepEqual([...(expected?.content ?? [])], [...content]);
  assert.deepEqual(await submitBulk(work(1)), here);
});

test('a bulk write that fails leaves nothing, and its error says what SQLite found', async (t) => {
  const { submitBulk, entries } = openDatabase(t);
  const twice = submitBulk(async (session) => {
    await insert(session, 1);
    await insert(session, 1);
  });
  await assert.rejects(twice, { message: /UNIQUE constraint failed/, errcode: 1555 });
  assert.deepEqual(entries(), []);
  await submitBulk((session) => insert(session, 2));
  assert.deepEqual(entries(), [2]);
});

test('a thread that ends takes its transaction with it, and the next bulk write starts another', async (t) => {
  const { submitBulk, entries } = openDatabase(t);
  const started = nextThread();
  const writing = submitBulk(async (session) => {
    await insert(session, 1);
    await (await started).terminate();
    await insert(session, 2);
  });
  await assert.rejects(writing, isThreadEnd);
  assert.deepEqual(entries(), []);
  await submitBulk((session) => insert(session, 3));
  assert.deepEqual(entries(), [3]);
});

test('a thread that ends before the commit leaves nothing, and the write is not acknowledged', async (t) => {
  const { submitBulk, entries } = openDatabase(t);
  const started = nextThread();
  const writing = submitBulk(async (session) => {
    await insert(session, 1);
    await (await started).terminate();
    return 'acknowledged';
  });
  await assert.rejects(writing, (error) => error instanceof BusyError && /thread/.test(error.message));
  assert.deepEqual(entries(), []);
});

test('a thread that ends during the commit leaves the outcome unknown', async (t) => {
  const { bulkWriter, submitBulk } = openDatabase(t);
  const started = nextThread();
  const ends: Promise<void>[] = [];
  const writing = submitBulk(async (session) => {
    await insert(session, 1);
    ends.push(assert.rejects(keepBusy(session), isThreadEnd), endAfterThisIteration(await started));
  });
  await assert.rejects(
    writing,
    (error) => error instanceof OutcomeUnknownError && error.cause instanceof ThreadEndedError,
  );
  await Promise.all(ends);
  await assert.rejects(async () => bulkWriter.control('commit'), BusyError);
});

test('a thread that ends while a failed write is undone leaves nothing, and the write can be sent again', async (t) => {
  const { submitBulk, entries } = openDatabase(t);
  const started = nextThread();
  const ends: Promise<void>[] = [];
  const writing = submitBulk(async (session) => {
    await insert(session, 1);
    ends.push(assert.rejects(keepBusy(session), isThreadEnd), endAfterThisIteration(await started));
    throw new Error('refused');
  });
  await assert.rejects(writing, isThreadEnd);
  await Promise.all(ends);
  assert.deepEqual(entries(), []);
});

test('a file that was removed is not made again, and one that was replaced is not written to', async (t) => {
  const { path, submitBulk, entries } = openDatabase(t);
  const aside = `${path}-aside`;
  renameSync(path, aside);
  await assert.rejects(
    submitBulk((session) => insert(session, 1)),
    BusyError,
  );
  assert.equal(existsSync(path), false);
  copyFileSync(aside, path);
  const notWritten = readFileSync(path);
  await assert.rejects(
    submitBulk((session) => insert(session, 2)),
    /was removed or replaced/,
  );
  assert.deepEqual(readFileSync(path), notWritten);
  renameSync(aside, path);
  await submitBulk((session) => insert(session, 3));
  assert.deepEqual(entries(), [3]);
});

test('a file that is removed or replaced while the thread starts is not even opened, and the thread ends', async (t) => {
  const { path, submitBulk, entries } = openDatabase(t);
  const aside = `${path}-aside`;
  const refusal = { name: 'BusyError', message: /was removed or replaced/ };
  const removing = nextThread().then((thread) => {
    renameSync(path, aside);
    return thread;
  });
  await assert.rejects(
    submitBulk((session) => insert(session, 1)),
    refusal,
  );
  assert.deepEqual([existsSync(path), (await removing).threadId], [false, -1]);
  renameSync(aside, path);
  const replacing = nextThread().then((thread) => {
    renameSync(path, aside);
    copyFileSync(aside, path);
    return thread;
  });
  await assert.rejects(
    submitBulk((session) => insert(session, 2)),
    refusal,
  );
  // SQLite would have copied the log of the first file into the other one.
  assert.deepEqual(readFileSync(path), readFileSync(aside));
  assert.equal((await replacing).threadId, -1);
  renameSync(aside, path);
  await submitBulk((session) => insert(session, 3));
  assert.deepEqual(entries(), [3]);
});

test('a bulk write waits for another process, and is refused if that takes too long', async (t) => {
  const { path, submitBulk, entries } = openDatabase(t);
  const another = connect(path).connection;
  t.after(() => another.close());
  another.exec('begin immediate');
  await assert.rejects(
    submitBulk((session) => insert(session, 1)),
    /keeps the database locked/,
  );
  const waiting = submitBulk((session) => insert(session, 2));
  another.exec('rollback');
  await waiting;
  assert.deepEqual(entries(), [2]);
});

test('a statement outside a transaction is refused, because no thread may lack what came before it', async (t) => {
  const { bulkWriter } = openDatabase(t);
  await assert.rejects(insert(bulkWriter.session, 1), /no transaction has begun/);
});

test('a bulk write cannot begin a transaction of its own, or read rows while the thread still finds them', async (t) => {
  const { submitBulk, entries } = openDatabase(t);
  await submitBulk(async (session) => {
    let ran = false;
    const own = session.db.transaction().execute(async () => {
      ran = true;
    });
    await assert.rejects(own, /the group commit begins and ends the transactions/);
    assert.equal(ran, false);
    const stream = sql`select 1`.compile(session.db);
    await assert.rejects(
      async () => session.db.getExecutor().stream(stream, 1).next(),
      /a thread answers statements as a whole/,
    );
    await insert(session, 1);
  });
  assert.deepEqual(entries(), [1]);
});

test('each statement in the thread has a span with its text', async (t) => {
  const { submitBulk } = openDatabase(t);
  const spans: [string, SpanAttributes][] = [];
  t.after(() => setTracer(undefined));
  setTracer({
    traceRequest: (_, work) => work(),
    carry: (work) => work,
    note: () => {},
    inSpan(name, attributes, work) {
      spans.push([name, attributes]);
      return work();
    },
  });
  await submitBulk((session) => insert(session, 1));
  const statement = { 'db.system.name': 'sqlite', 'db.query.text': 'insert into entry (n) values (?)' };
  assert.deepEqual(spans, [
    ['group commit', {}],
    ['statement', statement],
  ]);
});

test('damage that the thread finds counts as damage of the database', async (t) => {
  const { path, health, submitBulk, connection } = openDatabase(t);
  connection.exec('pragma wal_checkpoint(truncate)');
  const file = openSync(path, 'r+');
  writeSync(file, 'not a page', 4096);
  closeSync(file);
  await assert.rejects(
    submitBulk((session) => insert(session, 1)),
    /is damaged/,
  );
  assert.throws(() => health.requireIntact(), /is damaged/);
});
