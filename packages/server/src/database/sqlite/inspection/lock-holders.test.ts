import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { findLockHolders } from './lock-holders.ts';

/** Makes a database with one table. */
function makeDatabase(t: TestContext, journal = 'wal'): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-lock-holders-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'test.db');
  using connection = new DatabaseSync(path);
  connection.exec(`pragma journal_mode = ${journal}; create table kept (value text)`);
  return path;
}

interface Names {
  /** The name that the process gives itself. */
  readonly title?: string;
  readonly argv0?: string;
}

/** Runs statements on a database in another process, which then keeps its locks. */
async function runElsewhere(
  t: TestContext,
  path: string,
  statements: string,
  { title = '', argv0 }: Names = {},
): Promise<ChildProcess> {
  const program = `
    if (process.argv[3] !== '') process.title = process.argv[3];
    const connection = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    connection.exec(process.argv[2]);
    console.log('done');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', program, path, statements, title], {
    ...(argv0 !== undefined && { argv0 }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

async function pidsOfHolders(path: string): Promise<number[] | undefined> {
  const holders = await findLockHolders(path, 0);
  return holders?.map(({ who }) => Number(/^process (\d+) /.exec(who)?.[1]));
}

test('a process with the write lock is described by its program, the file among its arguments and its start', async (t) => {
  const path = makeDatabase(t);
  assert.deepEqual(await findLockHolders(path, 0), []);
  const beforeMs = Date.now();
  const { pid } = await runElsewhere(t, path, 'begin immediate');
  const holders = await findLockHolders(path, 0);
  assert.deepEqual(
    holders?.map(({ who, advised }) => ({ who, advised })),
    [{ who: `process ${pid} (node ${path})`, advised: { key: 'stopProcess', values: { pid } } }],
  );
  const said = holders?.[0]?.said;
  assert(said?.key === 'lockOfProcess');
  const { values } = said;
  assert(values.startedAt !== undefined);
  assert.equal(values.program, `node ${path}`);
  // The system tells its own start in whole seconds, and computes it again when the clock is set.
  assert.ok(Math.abs(values.startedAt - beforeMs) < 60_000, `${values.startedAt}, not ${beforeMs}`);
  assert.match(holders?.[0]?.doing ?? '', new RegExp(new Date(values.startedAt).toISOString()));
});

/** Replaces the text of files of the system. */
function showInstead(t: TestContext, texts: Readonly<Record<string, string>>): void {
  const read = fs.readFileSync;
  const mocked = t.mock.method(fs, 'readFileSync', (path: string) => texts[path] ?? read(path, 'utf8'));
  syncBuiltinESMExports();
  t.after(() => {
    mocked.mock.restore();
    syncBuiltinESMExports();
  });
}

test('a process is named by what it calls itself, and without that by the name of its program', async (t) => {
  const path = makeDatabase(t);
  const child = await runElsewhere(t, path, 'begin immediate', { title: 'a) b' });
  const [named] = (await findLockHolders(path, 0)) ?? [];
  assert.equal(named?.who, `process ${child.pid} (a) b)`);
  assert(named.said?.key === 'lockOfProcess');
  assert.ok(named.said.values.startedAt !== undefined);
  child.kill('SIGKILL');
  await once(child, 'close');
  await runElsewhere(t, path, 'begin immediate', { argv0: '' });
  const [unnamed] = (await findLockHolders(path, 0)) ?? [];
  assert.match(unnamed?.who ?? '', /^process \d+ \(\S+ \/.*test\.db\)$/);
});

test('a holder that the system does not list, as in another container, is another process', async (t) => {
  const path = makeDatabase(t);
  await runElsewhere(t, path, 'begin immediate');
  showInstead(t, { '/proc/locks': '' });
  const holders = await findLockHolders(path, 0);
  assert.deepEqual(
    holders?.map(({ who, said, advised }) => ({ who, said, advised })),
    [
      {
        who: 'another process',
        said: { key: 'lockOfSomebody', values: {} },
        advised: { key: 'findProcess', values: { path } },
      },
    ],
  );
});

/** Returns a line of /proc/locks by which a process writes the database. */
function lockOf(pid: number | undefined, path: string): string {
  const { ino } = statSync(`${path}-shm`, { bigint: true });
  return `1: POSIX  ADVISORY  WRITE ${pid} 00:00:${ino} 120 120`;
}

test('a process of which the system shows nothing else is told by its number', async (t) => {
  const path = makeDatabase(t);
  await runElsewhere(t, path, 'begin immediate');
  // Linux gives no process so high a number.
  const pid = 4_194_305;
  showInstead(t, { '/proc/locks': lockOf(pid, path) });
  const [holder] = (await findLockHolders(path, 0)) ?? [];
  assert.equal(holder?.who, `process ${pid} (unknown)`);
  assert.equal(holder.doing, 'is holding the write lock');
  assert.deepEqual(holder.said, { key: 'lockOfProcess', values: { pid, program: 'unknown' } });
});

test('a process is told without its start if the system does not show when it was booted', async (t) => {
  const path = makeDatabase(t);
  const { pid } = await runElsewhere(t, path, 'begin immediate');
  showInstead(t, { '/proc/stat': '' });
  const [holder] = (await findLockHolders(path, 0)) ?? [];
  assert.equal(holder?.doing, 'is holding the write lock');
  assert.deepEqual(holder.said, { key: 'lockOfProcess', values: { pid, program: `node ${path}` } });
});

test('a database that may not be written has no known holders', async (t) => {
  const path = makeDatabase(t, 'delete');
  const bytes = readFileSync(path);
  // A file format that SQLite may read but not write.
  bytes[18] = 3;
  writeFileSync(path, bytes);
  assert.equal(await findLockHolders(path, 0), undefined);
});

test('no connection stays open after the search: SQLite removes the log with the last one', async (t) => {
  const path = makeDatabase(t);
  await findLockHolders(path, 0);
  assert.equal(existsSync(`${path}-wal`), false);
});

test('a process that only reads, or writes another database, is none of them', async (t) => {
  const path = makeDatabase(t);
  await runElsewhere(t, path, 'begin; select * from kept');
  await runElsewhere(t, makeDatabase(t), 'begin immediate');
  assert.deepEqual(await pidsOfHolders(path), []);
  const { pid } = await runElsewhere(t, path, 'begin immediate');
  assert.deepEqual(await pidsOfHolders(path), [pid]);
});

for (const [what, journal, statements] of [
  ['keeps the whole database to itself', 'wal', 'pragma locking_mode = exclusive; begin immediate'],
  ['writes a database without a log', 'delete', 'begin immediate'],
  ['commits to a database without a log', 'delete', 'begin exclusive'],
] as const) {
  test(`a process that ${what} is named once`, async (t) => {
    const path = makeDatabase(t, journal);
    const { pid } = await runElsewhere(t, path, statements);
    assert.deepEqual(await pidsOfHolders(path), [pid]);
  });
}

test('a lock that is given back within the wait has no holder', async (t) => {
  const path = makeDatabase(t);
  using holder = new DatabaseSync(path);
  holder.exec('begin immediate');
  const found = findLockHolders(path, 60_000);
  holder.exec('rollback');
  assert.deepEqual(await found, []);
});

test('a database that is gone is an error, and is not made again', async (t) => {
  const path = makeDatabase(t);
  rmSync(path);
  await assert.rejects(findLockHolders(path, 0), /unable to open database file/);
  assert.equal(existsSync(path), false);
});

test('rejects a file that is not a database', async () => {
  await assert.rejects(findLockHolders(import.meta.filename, 0), /file is not a database/);
});
