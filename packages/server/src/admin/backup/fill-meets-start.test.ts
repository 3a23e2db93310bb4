import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
import { CopyUnderWayError } from '../../database/copy-session.ts';
import { fillFolder } from './fill-folder.ts';

const parent = fs.mkdtempSync(join(tmpdir(), 'fieldroster-meeting-'));
after(() => fs.rmSync(parent, { recursive: true, force: true }));

/** Makes a folder with the empty file that a first start makes before it writes to it. */
function makeFolder(name: string) {
  const folder = join(parent, name);
  const path = join(folder, 'fieldroster.db');
  fs.mkdirSync(folder);
  fs.writeFileSync(path, '');
  return { folder, path };
}

const open = new URL('../../database/sqlite/open.ts', import.meta.url).href;

/** Starts a server's database in another process, which inserts a tenant and ends. */
function start(folder: string, tenant: string): void {
  const conditions = process.execArgv.filter((argument) => argument.startsWith('--conditions'));
  const script = `
    const { openSqliteDatabase } = await import(${JSON.stringify(open)});
    const database = await openSqliteDatabase({ folder: process.argv[1] });
    await database.tenants.insertTenant(process.argv[2]);
    await database.close();
  `;
  const options = ['--input-type=module', '-e', script, folder, tenant];
  const { status, stderr } = spawnSync(process.execPath, [...conditions, ...options], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** Fills a folder, and calls a function as soon as only the last step is left. */
function fill(folder: string, beforeLastStep = () => {}): Promise<void> {
  return fillFolder(folder, { name: 'copy', verb: 'copy', what: 'the copy' }, async (draft) => {
    for (const file of ['fieldroster.db', 'fieldroster-bookkeeping.db']) {
      using database = new DatabaseSync(join(draft, file));
      database.exec('create table mark (name text)');
    }
    beforeLastStep();
  });
}

type Call = 'renameSync' | 'linkSync' | 'lstatSync';

/** Does something around each later call of a function of the file system. */
function around(t: TestContext, name: Call, act: (path: string, call: () => unknown) => unknown): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const mocked = t.mock.method(fs, name, (...args: unknown[]) =>
    act(String(args[0]), () => original(...args)),
  );
  syncBuiltinESMExports();
  t.after(() => {
    mocked.mock.restore();
    syncBuiltinESMExports();
  });
}

/** Lets another process act just before the fill moves the file away, and just after. */
function aroundMove(t: TestContext, path: string, before: () => void, afterwards = () => {}): void {
  around(t, 'renameSync', (from, move) => {
    if (from !== path) return move();
    before();
    move();
    return afterwards();
  });
}

function tenantsIn(path: string): unknown[] {
  using database = new DatabaseSync(path);
  return database
    .prepare('select name from tenant')
    .all()
    .map(({ name }) => name);
}

const refused = { name: 'AdminError', message: /already holds data \(fieldroster\.db\)/ };

test('a server keeps its empty file if it writes to it just as a fill takes it', async (t) => {
  const { folder, path } = makeFolder('written');
  const { ino } = fs.statSync(path);
  aroundMove(t, path, () => start(folder, 'served'));
  await assert.rejects(fill(folder), refused);
  assert.deepEqual(tenantsIn(path), ['served']);
  assert.equal(fs.statSync(path).ino, ino, 'a server that has it open uses it');
});

test('a fill that cannot make hard links also puts back a file that was written', async (t) => {
  const { folder, path } = makeFolder('without links');
  around(t, 'linkSync', () => {
    throw Object.assign(new Error('operation not permitted, link'), { code: 'EPERM' });
  });
  aroundMove(t, path, () => start(folder, 'served'));
  await assert.rejects(fill(folder), refused);
  assert.deepEqual(tenantsIn(path), ['served']);
});

test('a fill replaces no database that a server makes while the file of another one is moved away', async (t) => {
  const { folder, path } = makeFolder('written twice');
  aroundMove(
    t,
    path,
    () => start(folder, 'first'),
    () => start(folder, 'second'),
  );
  await assert.rejects(fill(folder), refused);
  assert.deepEqual(tenantsIn(path), ['second']);
});

test('a fill does not move a database that a server has begun, so a kill of the fill does not lose it', async (t) => {
  const { folder, path } = makeFolder('begun');
  let [isLast, moves] = [false, 0];
  around(t, 'lstatSync', (looked, look) => {
    const found = look();
    // The last of the files that the fill looks at before it works on the folder.
    if (!isLast || looked !== `${path}-journal`) return found;
    isLast = false;
    start(folder, 'served');
    return found;
  });
  aroundMove(t, path, () => {
    moves += 1;
  });
  const filled = fill(folder, () => {
    isLast = true;
  });
  await assert.rejects(filled, refused);
  assert.equal(moves, 0);
  assert.deepEqual(tenantsIn(path), ['served']);
});

test('a fill that meets a server at its very end takes its bookkeeping back', async (t) => {
  const { folder, path } = makeFolder('at the end');
  around(t, 'linkSync', (_from, link) => {
    fs.writeFileSync(path, '');
    return link();
  });
  await assert.rejects(fill(folder), CopyUnderWayError);
  assert.deepEqual(fs.readdirSync(folder), ['fieldroster.db']);
});
