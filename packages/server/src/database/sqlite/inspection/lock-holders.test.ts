import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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

/** Runs statements on a database in another process, which then keeps its locks. */
async function runElsewhere(t: TestContext, path: string, statements: string): Promise<ChildProcess> {
  const program = `
    const connection = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    connection.exec(process.argv[2]);
    console.log('done');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', program, path, statements], {
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
