import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bookkeepingFile } from './bookkeeping-file.ts';
import { openSqliteDatabase } from './open.ts';

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
  await database.close();
});

test('while another process locks the bookkeeping file, rows are written later, and nothing waits for them', async () => {
  const folder = join(parent, 'locked');
  const database = await openSqliteDatabase({ folder, lockWaitMs: 20 });
  const { connect } = await import('./connection.ts');
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
