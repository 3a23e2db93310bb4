import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import type { Session } from '../../queries/session.ts';
import { connect } from '../connections/connection.ts';
import { FileIdentity } from '../files/file-identity.ts';
import { openSqliteDatabase } from '../open.ts';
import { commitStatement } from '../writes/writer.ts';
import { BookkeepingFile, bookkeepingFile } from './bookkeeping-file.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-bookkeeping-test-'));
after(() => rmSync(parent, { recursive: true }));

const windowMs = 60_000;

/** Opens a folder's database, and collects its warnings to the operator. */
async function open(name: string) {
  const folder = join(parent, name);
  const notices: string[] = [];
  const database = await openSqliteDatabase({
    folder,
    notice: (_fields, message) => notices.push(message),
  });
  const fail = async (subject: string) =>
    (await database.bookkeeping.passwordFailures.change([{ subject, add: 1 }], windowMs)).get(subject)
      ?.failures;
  return { folder, path: join(folder, bookkeepingFile), database, notices, fail };
}

/** Overwrites the file and its log, as a broken disk would. */
function damage(path: string): void {
  for (const ending of ['', '-wal']) {
    const bytes = statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > 0) writeFileSync(path + ending, Buffer.alloc(Math.max(bytes, 8192), 'x'));
  }
}

const movedAside = (folder: string) =>
  readdirSync(folder).filter((name) => /^fieldroster-bookkeeping\.db\.damaged-\d{8}T\d{6}$/.test(name));

test('only the owner may read the bookkeeping and its logs', async () => {
  const { database, path, fail } = await open('modes');
  await fail('s');
  const modes = ['', '-wal', '-shm'].map((ending) => (statSync(path + ending).mode & 0o777).toString(8));
  assert.deepEqual(modes, ['600', '600', '600']);
  await database.close();
  chmodSync(path, 0o644);
  await (await open('modes')).database.close();
  assert.equal((statSync(path).mode & 0o777).toString(8), '600');
});

test('bookkeeping survives a restart, and no write to it changes the version of the data', async () => {
  const { database, fail } = await open('version');
  const before = await database.dataVersion();
  assert.equal(await fail('s'), 1);
  await database.applications.recordSecretsUsed(new Map([[1n, 5]]));
  database.bookkeeping.calls.addFailures([], { minuteMs: 60_000, calls: 3 });
  await database.bookkeeping.flush();
  assert.equal(await database.dataVersion(), before);
  await database.close();
  const again = await open('version');
  assert.equal(await again.fail('s'), 2);
  assert.equal(await again.database.bookkeeping.calls.countUnkept(0), 3);
  await again.database.close();
});

test('rows that wait for the background transaction are written when the database closes', async () => {
  const { database } = await open('closing');
  database.bookkeeping.calls.addFailures([], { minuteMs: 0, calls: 1 });
  await database.close();
  const again = await open('closing');
  assert.equal(await again.database.bookkeeping.calls.countUnkept(0), 1);
  await again.database.close();
});

test('a missing bookkeeping file is created silently', async () => {
  const first = await open('missing');
  await first.fail('s');
  await first.database.close();
  rmSync(first.path);
  const { database, fail, notices } = await open('missing');
  assert.equal(await fail('s'), 1);
  assert.deepEqual(notices, []);
  await database.close();
});

test('at a start, a damaged bookkeeping file is moved aside with a warning, and a new one is used', async () => {
  const first = await open('damaged');
  await first.fail('s');
  await first.database.close();
  damage(first.path);
  const { folder, database, fail, notices } = await open('damaged');
  assert.equal(await fail('s'), 1);
  assert.match(
    notices.join(),
    /^the bookkeeping file is damaged; it was moved aside, and a new one was started/,
  );
  assert.equal(movedAside(folder).length, 1);
  await database.close();
});

test('of the files moved aside, only the newest few are kept', async () => {
  const folder = join(parent, 'often');
  mkdirSync(folder);
  const old = ['20260101T000000', '20260102T000000', '20260103T000000', '20260104T000000'].map(
    (at) => `${bookkeepingFile}.damaged-${at}`,
  );
  for (const name of old) for (const ending of ['', '-wal']) writeFileSync(join(folder, name + ending), 'x');
  writeFileSync(join(folder, `${bookkeepingFile}.damaged-by-me`), 'of the operator');
  writeFileSync(join(folder, bookkeepingFile), 'this is a shopping list, not a database. '.repeat(200));
  const { database } = await open('often');
  await database.close();
  const kept = movedAside(folder).toSorted();
  assert.deepEqual(kept.slice(0, 2), old.slice(2));
  assert.equal(kept.length, 3);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('damaged') && !kept.includes(name)),
    [...old.slice(2).map((name) => `${name}-wal`), `${bookkeepingFile}.damaged-by-me`].toSorted(),
  );
});

test('a file that is not a database is moved aside too', async () => {
  const folder = join(parent, 'text');
  mkdirSync(folder);
  writeFileSync(join(folder, bookkeepingFile), 'this is a shopping list, not a database. '.repeat(200));
  const { database, fail } = await open('text');
  assert.equal(await fail('s'), 1);
  assert.equal(movedAside(folder).length, 1);
  await database.close();
});

test('a bookkeeping file that is damaged or removed while the server runs is replaced, and calls go on', async () => {
  const { folder, path, database, fail } = await open('under');
  const second = await open('under');
  await fail('s');
  assert.equal(await second.fail('s'), 2, 'two processes share the counts');
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  assert.equal(await fail('s'), 1);
  assert.equal(await second.fail('s'), 2, 'the other one follows to the new file');
  damage(path);
  assert.equal(await fail('s'), 1);
  assert.equal(await second.fail('s'), 2);
  assert.equal(movedAside(folder).length, 1);
  await database.close();
  await second.database.close();
});

test('a bookkeeping file that cannot be opened does not stop the server', async () => {
  const folder = join(parent, 'blocked');
  mkdirSync(join(folder, bookkeepingFile), { recursive: true });
  const { database, fail, notices } = await open('blocked');
  assert.equal(await fail('s'), 1);
  assert.match(notices.join(), /the bookkeeping file cannot be opened; until the next start/);
  assert.ok(notices.join().endsWith(`; make ${folder} writable; then restart`), notices.join());
  await database.close();
});

test('while another process locks the bookkeeping file, rows are written later, and nothing waits for them', async () => {
  const folder = join(parent, 'locked');
  const database = await openSqliteDatabase({ folder, lockWaitMs: 20 });
  const { connection } = connect(join(folder, bookkeepingFile));
  connection.exec('begin immediate');
  database.bookkeeping.calls.addFailures([], { minuteMs: 0, calls: 7 });
  await database.bookkeeping.flush();
  assert.equal(await database.bookkeeping.calls.countUnkept(0), 0);
  connection.exec('rollback');
  await database.bookkeeping.flush();
  assert.equal(await database.bookkeeping.calls.countUnkept(0), 7);
  connection.close();
  await database.close();
});

interface Notice {
  readonly fields: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Opens a folder's bookkeeping alone. */
async function openFile(name: string) {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const notices: Notice[] = [];
  const file = new BookkeepingFile({
    folder,
    lockWaitMs: 20,
    notice: (fields, message) => notices.push({ fields: fields as Notice['fields'], message }),
  });
  await file.open();
  const write = (subject: string) => file.write((session) => insert(session, subject), 'durable');
  const subjects = () =>
    file.read(async ({ db }) => {
      const { rows } = await sql<{
        subject: string;
      }>`select subject from password_failure order by subject`.execute(db);
      return rows.map(({ subject }) => subject);
    });
  return { folder, path: join(folder, bookkeepingFile), file, notices, write, subjects };
}

const insert = ({ db }: Session, subject: string) =>
  sql`insert into password_failure values (${subject}, 1, 0)`.execute(db);

function remove(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

/** Damages one table, which opening the file does not read. */
function damageTable(path: string): void {
  const { connection } = connect(path);
  connection.exec('pragma wal_checkpoint(truncate)');
  const root = connection.prepare("select rootpage from sqlite_schema where name = 'password_failure'").get();
  connection.close();
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, 'not a page', (Number(root?.rootpage) - 1) * 4096);
  closeSync(descriptor);
}

/** The folder that stands in for a data folder, as told to the operator. */
const temporaryFolderIn = ({ message }: Notice) =>
  /temporary file in (\S+) and then lost;/.exec(message)?.[1] ?? '';

test('a file that was removed is not read any more', async () => {
  const { path, file, write, subjects } = await openFile('read');
  await write('a');
  remove(path);
  assert.deepEqual(await subjects(), []);
  await file.close();
});

test('a write whose file is removed before its commit takes effect in the new file', async () => {
  const { path, file, subjects } = await openFile('during');
  let runs = 0;
  const work = async (session: Session) => {
    runs += 1;
    await insert(session, `run ${runs}`);
    if (runs === 1) remove(path);
  };
  await file.write(work, 'durable');
  assert.deepEqual(await subjects(), ['run 2']);
  await file.close();
});

test('a file that seems replaced at every check is opened again once for a call, and not for ever', async (t) => {
  const { path, file, write, subjects } = await openFile('unstable');
  await write('a');
  let looks = 0;
  t.mock.method(FileIdentity.prototype, 'changedFile', () => {
    looks += 1;
    return looks < 20 ? path : undefined;
  });
  assert.deepEqual(await subjects(), ['a']);
  assert.equal(looks, 1);
  t.mock.restoreAll();
  await file.close();
});

test('a write whose file is removed during its commit is not run again, since its outcome is unknown', async (t) => {
  const { path, file, subjects } = await openFile('commit');
  const { prepare } = DatabaseSync.prototype;
  // The first commit is prepared right before it runs, after the check of the file.
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
    if (text === commitStatement) remove(path);
    return prepare.call(this, text);
  });
  let runs = 0;
  const work = async (session: Session) => {
    runs += 1;
    await insert(session, 'a');
  };
  await assert.rejects(file.write(work, 'durable'), { name: 'OutcomeUnknownError' });
  t.mock.restoreAll();
  assert.equal(runs, 1);
  assert.deepEqual(await subjects(), []);
  await file.close();
});

test('a file whose damage shows only after it was opened is moved aside, and the operator is told where', async () => {
  const { folder, path, file, notices, write, subjects } = await openFile('table');
  await write('a');
  damageTable(path);
  assert.deepEqual(await subjects(), []);
  const [aside = ''] = movedAside(folder);
  assert.equal(notices.length, 1);
  const { cause, ...files } = notices[0]?.fields ?? {};
  assert.deepEqual(files, { file: path, moved_to: join(folder, aside) });
  assert.match(String(cause), /malformed/);
  await file.close();
});

test('a damaged file that another process has already moved aside and replaced is not moved again', async () => {
  const { folder, path, file, notices, write, subjects } = await openFile('both');
  const another = await openFile('both');
  await write('a');
  damageTable(path);
  const work = async ({ db }: Session) => {
    if (movedAside(folder).length === 0) await another.write('b');
    return (await sql`select * from password_failure`.execute(db)).rows.length;
  };
  assert.equal(await file.read(work), 1);
  assert.deepEqual([await subjects(), movedAside(folder).length, notices], [['b'], 1, []]);
  await another.file.close();
  await file.close();
});

test('a damaged file that cannot be moved aside is left alone, and calls go on', async (t) => {
  const { folder, path, file, notices, write, subjects } = await openFile('unmovable');
  await write('a');
  damageTable(path);
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
  mkdirSync(join(folder, `${bookkeepingFile}.damaged-20260102T030405`));
  assert.deepEqual(await subjects(), []);
  await write('b');
  assert.deepEqual(await subjects(), ['b']);
  assert.match(
    notices.map(({ message }) => message).join(),
    /^the bookkeeping file cannot be opened; [^,]+,/,
  );
  assert.ok(existsSync(path));
  await file.close();
});

test('where no new file can be made after a damaged one was moved aside, a temporary one is used', async () => {
  const folder = join(parent, 'full');
  const path = join(folder, bookkeepingFile);
  mkdirSync(folder);
  writeFileSync(path, 'x'.repeat(8192));
  const told: string[] = [];
  const notice = (_fields: object, message: string) => {
    told.push(message);
    // Acts like a folder that takes no new file once the damaged one has left it.
    if (told.length === 1) mkdirSync(path);
  };
  const file = new BookkeepingFile({ folder, lockWaitMs: 20, notice });
  await file.write((session) => insert(session, 'a'), 'durable');
  assert.match(told[0] ?? '', /^the bookkeeping file is damaged; it was moved aside/);
  assert.match(told[1] ?? '', /^the bookkeeping file cannot be opened; /);
  assert.equal(told.length, 2);
  await file.close();
});

test('of several calls that find the same fault, one replaces the file, and no connection stays open', async () => {
  const { path, file, notices, write, subjects } = await openFile('several');
  damage(path);
  await Promise.all(['a', 'b', 'c'].map(write));
  assert.deepEqual(await subjects(), ['a', 'b', 'c']);
  assert.equal(notices.length, 1);
  await file.close();
  assert.equal(existsSync(`${path}-wal`), false, 'the last connection removes the log');
});

test('a temporary file lasts until the next one, or until the server ends', async () => {
  const name = 'temporary';
  mkdirSync(join(parent, name, bookkeepingFile), { recursive: true });
  const { path, file, notices, write, subjects } = await openFile(name);
  await write('a');
  const [first = ''] = notices.map(temporaryFolderIn);
  assert.deepEqual(notices[0]?.fields, { file: path, cause: 'Error: unable to open database file' });
  remove(join(first, bookkeepingFile));
  mkdirSync(join(first, bookkeepingFile));
  await write('b');
  const [, second = ''] = notices.map(temporaryFolderIn);
  assert.deepEqual([existsSync(first), existsSync(second)], [false, true]);
  rmSync(second, { recursive: true });
  await write('c');
  assert.deepEqual(await subjects(), ['c']);
  const [, , third = ''] = notices.map(temporaryFolderIn);
  assert.ok(existsSync(third));
  await file.close();
  assert.equal(existsSync(third), false);
});

test('without a receiver of notices, files are still replaced', async () => {
  for (const [name, isFolder] of [
    ['untold damage', false],
    ['untold folder', true],
  ] as const) {
    const folder = join(parent, name);
    mkdirSync(isFolder ? join(folder, bookkeepingFile) : folder, { recursive: true });
    if (!isFolder) writeFileSync(join(folder, bookkeepingFile), 'x'.repeat(8192));
    const file = new BookkeepingFile({ folder, lockWaitMs: 20 });
    await file.open();
    await file.write((session) => insert(session, 'a'), 'durable');
    await file.close();
    assert.equal(statSync(join(folder, bookkeepingFile)).isDirectory(), isFolder);
  }
});

test('a file that was never opened, or whose temporary folder is gone, closes too', async () => {
  await new BookkeepingFile({ folder: parent, lockWaitMs: 20 }).close();
  mkdirSync(join(parent, 'gone', bookkeepingFile), { recursive: true });
  const { file, notices } = await openFile('gone');
  rmSync(notices.map(temporaryFolderIn)[0] ?? '', { recursive: true });
  await file.close();
});

test('once it is closed, a file is not opened again', async () => {
  const folder = mkdtempSync(join(parent, 'closed-'));
  const file = new BookkeepingFile({ folder, lockWaitMs: 100 });
  await file.open();
  const begun = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const underWay = file.read(async () => {
    begun.resolve();
    await removed.promise;
    throw new Error('the file is gone');
  });
  await begun.promise;
  await file.close();
  const refused = { name: 'BusyError', message: 'the database is being closed' };
  await assert.rejects(
    file.read(async () => {}),
    refused,
  );
  await assert.rejects(
    file.write(async () => {}, 'durable'),
    refused,
  );
  removed.resolve();
  await assert.rejects(underWay, refused);
  assert.deepEqual(readdirSync(folder), [bookkeepingFile], 'no log, which an open file has');
});

test('when not even a temporary file can be made, calls fail, and the next one tries again', async () => {
  const { path, file, write, subjects } = await openFile('nowhere');
  await write('a');
  remove(path);
  mkdirSync(path);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(parent, 'no such folder');
  try {
    await assert.rejects(write('b'), { code: 'ENOENT' });
    await assert.rejects(write('c'), { code: 'ENOENT' });
  } finally {
    process.env.TMPDIR = TMPDIR;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
  }
  rmSync(path, { recursive: true });
  await write('d');
  assert.deepEqual(await subjects(), ['d']);
  await file.close();
});
