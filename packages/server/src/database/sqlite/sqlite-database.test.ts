import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Deadline, runUnderDeadline } from '../../time/deadline.ts';
import type { DatabaseUnderTest } from '../conformance/subject.ts';
import { testDatabase } from '../conformance/test-database.ts';
import { type Database, type DirectoryWriter, OutcomeUnknownError } from '../database.ts';
import { bookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { connect } from './connections/connection.ts';
import { DatabaseHealth } from './files/database-health.ts';
import { databaseFile, openSqliteDatabase, type SqliteOptions } from './open.ts';
import { Checkpoints } from './writes/checkpoints.ts';
import { ThreadWriter } from './writes/thread-writer.ts';

testDatabase('SQLite', open);

async function open(now: () => number): Promise<DatabaseUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-database-'));
  const database = await openSqliteDatabase({ folder, now });
  const second = await openSqliteDatabase({ folder, now });
  const { connection, session } = connect(join(folder, databaseFile));
  const bookkeeping = connect(join(folder, bookkeepingFile));
  return {
    database,
    second,
    db: session.db,
    bookkeeping: bookkeeping.session.db,
    async close() {
      await database.close();
      await second.close();
      connection.close();
      bookkeeping.connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openAlone(t: TestContext, options: Omit<SqliteOptions, 'folder'> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-database-'));
  const database = await openSqliteDatabase({ folder, ...options });
  t.after(async () => {
    await database.close().catch(() => {});
    rmSync(folder, { recursive: true });
  });
  const tenant = await database.tenants.insertTenant('t');
  return { folder, path: join(folder, databaseFile), database, tenantId: tenant?.id ?? 0n };
}

const nothing = async (_: DirectoryWriter) => ({
  result: undefined,
  audit: { operation: 'test', changes: {} },
});

const claim = { requestId: 'r', signature: Buffer.alloc(32, 1), expiresAtSeconds: 4_000_000_000 };

for (const [label, given, claimed] of [
  ['a claim', claim, true],
  ['no claim', undefined, false],
] as const) {
  test(`a write with ${label} whose outcome is unknown says so, with the cause`, async (t) => {
    const { database, tenantId, path } = await openAlone(t);
    let looks = 0;
    // As if the file were replaced between the check before the commit and the one after it.
    t.mock.method(DatabaseHealth.prototype, 'changedFile', () => (looks++ === 0 ? undefined : path));
    await assert.rejects(database.write(tenantId, given, nothing), (error: unknown) => {
      assert.ok(error instanceof OutcomeUnknownError);
      assert.equal(error.claimed, claimed);
      assert.match(String(error.cause), /was removed or replaced/);
      return true;
    });
  });
}

test('an error of the work of a write is thrown as it is', async (t) => {
  const { database, tenantId } = await openAlone(t);
  const error = new Error('refused');
  for (const given of [claim, undefined])
    await assert.rejects(
      database.write(tenantId, given, () => Promise.reject(error)),
      (thrown) => thrown === error,
    );
});

test('writes of an application are refused once as many of it wait as may', async (t) => {
  const { database, tenantId } = await openAlone(t);
  assert.equal(database.refusesWritesOf('app'), false);
  const write = (owner: string) =>
    runUnderDeadline(new Deadline(60_000, { owner }), () => database.write(tenantId, undefined, nothing));
  const writes = Array.from({ length: 10_000 }, () => write('app'));
  assert.deepEqual([database.refusesWritesOf('app'), database.refusesWritesOf('other')], [true, false]);
  await assert.rejects(write('app'), { name: 'BusyError' });
  await Promise.allSettled(writes);
});

async function readGauge(database: Database, name: string): Promise<number> {
  const source = database.metricSources().find((each) => each.name === name);
  assert.ok(source?.type === 'gauge');
  return Number(await source.read());
}

test('the metrics count commits and waiting writes, and the bytes of the database and its log', async (t) => {
  const { database, folder, path, tenantId } = await openAlone(t);
  const names = database.metricSources().map(({ name }) => name);
  assert.ok(
    names.some((name) => name.includes('commit')),
    names.join(),
  );
  assert.equal(await readGauge(database, 'fieldroster_queued_writes'), 0);
  const writes = [1, 2, 3].map(() => database.write(tenantId, undefined, nothing));
  assert.equal(await readGauge(database, 'fieldroster_queued_writes'), 3);
  await Promise.all(writes);
  const size = () => readGauge(database, 'fieldroster_database_size_bytes');
  assert.equal(await size(), statSync(path).size + statSync(`${path}-wal`).size);
  await database.close();
  assert.equal(await size(), statSync(path).size, 'the log is gone');
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  assert.equal(await size(), 0);
});

test('the database is ready while it answers and its file and disk are in order', async (t) => {
  const { database } = await openAlone(t);
  const checks = database.readinessChecks();
  assert.deepEqual(
    checks.map(({ name, scope }) => [name, scope]),
    [
      ['database', 'node'],
      ['database file', 'node'],
      ['disk', 'node'],
    ],
  );
  for (const check of checks) assert.equal(await check.probe(), undefined, check.name);
  await database.close();
  const answers = database.readinessChecks()[0]?.probe() ?? assert.fail();
  await assert.rejects(answers, (error: unknown) => {
    assert.ok(error instanceof Error && error.name === 'NotReadyError');
    assert.equal(error.message, 'it does not answer; see the log of this node');
    assert.ok(error.cause instanceof Error);
    return true;
  });
});

test('a checkpoint is considered after each commit', async (t) => {
  const { database, tenantId } = await openAlone(t);
  const runIfDue = t.mock.method(Checkpoints.prototype, 'runIfDue');
  await database.write(tenantId, undefined, nothing);
  assert.equal(runIfDue.mock.callCount(), 1);
});

test('closing the database ends its threads, and its connections to both files', async (t) => {
  const { database, folder } = await openAlone(t);
  const [checkpoints, writer] = [Checkpoints, ThreadWriter].map((part) =>
    t.mock.method(part.prototype, 'close'),
  );
  await database.close();
  assert.deepEqual([checkpoints?.mock.callCount(), writer?.mock.callCount()], [1, 1]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('-wal')),
    [],
  );
});

const failed = { code: 1014, message: 'no', durationUs: 5, method: 'GET', target: '/user', verified: false };

test('records made just before the database closes are in the bookkeeping', async (t) => {
  const { database, folder } = await openAlone(t);
  database.bookkeeping.calls.addFailures([{ requestId: 'noted', atMs: 7, ...failed }]);
  await database.close();
  const again = await openSqliteDatabase({ folder });
  assert.equal((await again.bookkeeping.calls.findFailure('noted'))?.durationUs, 5);
  await again.close();
});

test('records for the bookkeeping are written a second later', async (t) => {
  const { database } = await openAlone(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { calls } = database.bookkeeping;
  calls.addFailures([{ requestId: 'noted', atMs: 7, ...failed }]);
  const isWritten = async () => {
    for (let iteration = 0; iteration < 50; iteration += 1) await nextIteration();
    return (await calls.findFailure('noted')) !== undefined;
  };
  t.mock.timers.tick(999);
  assert.equal(await isWritten(), false);
  t.mock.timers.tick(1);
  assert.equal(await isWritten(), true);
});

test('the operator is told that the bookkeeping cannot be written', async (t) => {
  const told: string[] = [];
  const { database, folder } = await openAlone(t, { notice: (_fields, message) => void told.push(message) });
  const { connection } = connect(join(folder, bookkeepingFile));
  connection.exec('drop table failed_call');
  connection.close();
  database.bookkeeping.calls.addFailures([{ requestId: 'noted', atMs: 7, ...failed }]);
  await database.bookkeeping.flush();
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /^call summaries and other bookkeeping could not be written/);
});

test('reports of keys are dated by the clock that it was given', async (t) => {
  const { database } = await openAlone(t, { now: () => 1_700_000_000_123 });
  assert.equal((await database.keys.holders()).nowMs, 1_700_000_000_123);
});

test('purges follow the given clock, and there is no second clock to compare it with', async (t) => {
  const { database } = await openAlone(t, { now: () => 1_700_000_000_123 });
  assert.equal(await database.claims.databaseTimeMs(), 1_700_000_000_123);
  assert.equal(database.claims.clockDifferenceMs(), undefined);
});

test('an import adds what it reads, and its audit is dated by the given clock', async (t) => {
  const { database, tenantId } = await openAlone(t, { now: () => 1_700_000_000_123 });
  async function* rows() {
    yield [{ line: 2, id: 7n, name: 'seller' }];
  }
  await database.importer.importRoles(tenantId, rows());
  const { roles, lists } = database.directory(tenantId);
  assert.equal((await roles.find(7n))?.name, 'seller');
  const { entries } = await lists.listAuditEvents({ filters: {}, after: undefined, limit: 10 });
  const times = new Set(entries.map(({ atMs }) => Number(atMs)));
  assert.deepEqual([...times], [1_700_000_000_123]);
});

test('other processes need no watch: the revision is polled', async (t) => {
  const { database } = await openAlone(t);
  const stop = await database.applications.watch(() => {});
  await stop();
  assert.equal(database.applications.revisionPollMs, 100);
});
