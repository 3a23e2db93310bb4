import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type CopySession, CopyUnderWayError } from '../copy-session.ts';
import { migrations } from '../migrations/migrations.ts';
import { bookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { connect } from './connections/connection.ts';
import { createSqliteTarget, openSqliteSource, openSqliteTarget } from './copy-session.ts';
import { isBusy } from './errors/retry-while-busy.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

/** Longer than any attempt to lock a file, and shorter than a start waits. */
const momentMs = 10_000;

async function makeFolder(t: TestContext, isFilled = true) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-copy-session-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (isFilled) await (await openSqliteDatabase({ folder })).close();
  return { folder, path: join(folder, databaseFile) };
}

/** Logs of connections that are still open; the last connection removes them. */
const logsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('-wal'));

function insertTenant({ session: { db } }: Pick<CopySession, 'session'>, name: string) {
  return db.insertInto('tenant').values({ name, created_at: 1n }).execute();
}

const tenantsOf = async ({ session: { db } }: Pick<CopySession, 'session'>) =>
  (await db.selectFrom('tenant').select('name').execute()).map(({ name }) => name);

test('a source is read in its state at one moment, and closed with its bookkeeping', async (t) => {
  const { folder, path } = await makeFolder(t);
  const source = await openSqliteSource(folder);
  assert.equal(source.location, path);
  assert.deepEqual(await tenantsOf(source), []);
  const other = connect(path);
  await insertTenant(other, 'later');
  other.connection.close();
  assert.deepEqual(await tenantsOf(source), []);
  assert.deepEqual(
    await source.bookkeeping.read(({ db }) => db.selectFrom('entry_count').selectAll().execute()),
    [],
  );
  await source.close();
  assert.deepEqual(logsIn(folder), []);
});

test('a source that is missing is named, and not created', async (t) => {
  const { folder, path } = await makeFolder(t, false);
  await assert.rejects(openSqliteSource(folder), { message: `there is no database at ${path}` });
  assert.deepEqual(readdirSync(folder), []);
});

test('tables of a newer release are refused, and their file is closed', async (t) => {
  const { folder, path } = await makeFolder(t);
  const { connection } = connect(path);
  connection.exec("insert into kysely_migration values ('999-next', '2027-01-01T00:00:00Z')");
  connection.close();
  for (const open of [openSqliteSource, openSqliteTarget]) {
    await assert.rejects(open(folder), { name: 'SchemaError', message: /a newer release \(999-next\)/ });
    assert.deepEqual(logsIn(folder), []);
  }
});

test('a target is created for its owner alone, in a folder that is missing too', async (t) => {
  const { folder } = await makeFolder(t, false);
  const within = join(folder, 'deep');
  const target = await openSqliteTarget(within);
  assert.equal(statSync(join(within, databaseFile)).mode & 0o777, 0o600);
  await insertTenant(target, 'copied');
  await target.commit();
  await target.close();
  assert.deepEqual(logsIn(within), []);
  const source = await openSqliteSource(within);
  assert.deepEqual(await tenantsOf(source), ['copied']);
  await source.close();
});

test('a target that is closed without a commit is as it was', async (t) => {
  const { folder } = await makeFolder(t);
  const target = await openSqliteTarget(folder);
  await insertTenant(target, 'lost');
  await target.close();
  assert.deepEqual(logsIn(folder), []);
  const source = await openSqliteSource(folder);
  assert.deepEqual(await tenantsOf(source), []);
  await source.close();
});

test('nobody else writes to a target, and a second copy into it is refused within moments', async (t) => {
  const { folder, path } = await makeFolder(t);
  const target = await openSqliteTarget(folder);
  const other = new DatabaseSync(path, { timeout: 0 });
  assert.throws(() => other.exec('begin immediate'), isBusy);
  other.close();
  const startedMs = performance.now();
  await assert.rejects(openSqliteTarget(folder), (error: unknown) => {
    assert.ok(error instanceof CopyUnderWayError);
    assert.match(error.message, new RegExp(`^another process is writing to ${path}, `));
    assert.ok(isBusy(error.cause));
    return true;
  });
  assert.ok(performance.now() - startedMs < momentMs);
  await target.close();
  assert.deepEqual(logsIn(folder), [], 'the refused copy left nothing open');
});

test('a damaged target is not reported as one that another process writes to', async (t) => {
  const { folder, path } = await makeFolder(t);
  writeFileSync(path, 'not a database'.repeat(1_000));
  await assert.rejects(openSqliteTarget(folder), /file is not a database/);
});

test('the tables of some migrations are made in a new file, which its owner alone may read', async (t) => {
  const { folder, path } = await makeFolder(t, false);
  const { '001-initial': initial } = migrations;
  assert.ok(initial !== undefined);
  const target = await createSqliteTarget(folder, { '001-initial': initial });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await insertTenant(target, 'restored');
  await assert.rejects(target.session.db.selectFrom('erasure').selectAll().execute(), /no such table/);
  await target.commit();
  await target.close();
  assert.deepEqual(logsIn(folder), []);
  using connection = new DatabaseSync(path, { readOnly: true });
  assert.deepEqual({ ...connection.prepare('pragma journal_mode').get() }, { journal_mode: 'wal' });
  assert.equal(connection.prepare('select name from tenant').get()?.name, 'restored');
  await assert.rejects(createSqliteTarget(folder, migrations), { code: 'EEXIST' });
});

test('a damaged bookkeeping is replaced, and the operator is told', async (t) => {
  const { folder } = await makeFolder(t);
  writeFileSync(join(folder, bookkeepingFile), 'not a database'.repeat(1_000));
  const told: string[] = [];
  const source = await openSqliteSource(folder, (_fields, message) => void told.push(message));
  await source.close();
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /^the bookkeeping file is damaged; it was moved aside/);
  assert.ok(existsSync(join(folder, bookkeepingFile)));
});

test('a source whose bookkeeping cannot be opened anywhere is closed', async (t) => {
  const { folder } = await makeFolder(t);
  rmSync(join(folder, bookkeepingFile));
  mkdirSync(join(folder, bookkeepingFile));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(folder, 'no such folder');
  try {
    await assert.rejects(openSqliteSource(folder), { code: 'ENOENT' });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  assert.deepEqual(logsIn(folder), []);
});

test('a new file whose migrations fail is closed', async (t) => {
  const { folder } = await makeFolder(t, false);
  const fail = () => Promise.reject(new Error('the migration failed'));
  const known = { '001-initial': { up: fail, servesFrom: '001-initial' } };
  await assert.rejects(createSqliteTarget(folder, known), /the migration failed/);
  assert.deepEqual(logsIn(folder), []);
});
