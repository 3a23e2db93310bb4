import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openTestPostgres, patient, runSql } from '../../../test/test-postgres.ts';
import { machineOf, processPlace } from '../../applications/process-place.ts';
import { readSettings } from '../../config.ts';
import { openPostgresDatabase } from '../../database/postgres/open.ts';
import { openInspection } from '../inspect-directory.ts';
import { checkClock } from './check-clock.ts';
import type { Finding } from './finding.ts';

test('the time that the database takes to answer is no difference of the clocks', async (t) => {
  const database = await makeDatabase(t);
  let readings = 0;
  // A minute passes between any two readings, and so between the question and its answer.
  const [finding] = await runCheck(database, () => Date.now() + 60_000 * readings++);
  assert.deepEqual(
    [finding?.level, finding?.message],
    ['ok', "this machine's clock is 0 s ahead of the database's"],
  );
});

test('a call that another server refused in the future is a warning, as its clock is ahead', async (t) => {
  const database = await makeDatabase(t);
  const fail = async (requestId: string, aheadMs: number) => {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const insert =
      "insert into failed_call (request_id, at, verified, code, message, duration_us, method, target) values ($1, $2, 0, 1012, '', 1, 'GET', '/user')";
    await client.query(insert, [requestId, Date.now() + aheadMs]);
    await client.end();
  };
  await fail('0123456789ab-1', 1_000);
  assert.equal((await runCheck(database, Date.now)).length, 1);
  await fail('0123456789ab-2', 300_000);
  const [, finding, ...others] = await runCheck(database, Date.now);
  assert.equal(finding?.level, 'warning');
  assert.match(finding?.message ?? '', /^the failed call 0123456789ab-2 is dated 20.*Z, in the future: /);
  const advice =
    'open /readyz on each server; it reports a clock that differs. Set that clock. If all clocks are right by now, do nothing: the record does no harm, and ';
  assert.equal(finding?.advice, `${advice}this warning ends at that time`);
  assert.deepEqual(others, []);
  await fail('0123456789ab-3', 8 * 86_400_000);
  const [, far] = await runCheck(database, Date.now);
  assert.match(far?.message ?? '', /^the failed call 0123456789ab-3 /);
  assert.equal(far?.advice, `${advice}a server deletes this record once it has run for a day`);
});

test('a node whose clock is off is named, with how far, until it reports a right clock', async (t) => {
  const database = await makeDatabase(t);
  let aheadMs = -45_000;
  const rightNow = Date.now;
  t.mock.method(Date, 'now', () => rightNow() + aheadMs);
  const node = await openPostgresDatabase({ ...patient, url: database });
  t.after(() => node.close());
  const report = { processId: 'p', host: 'node-b', pid: 7, place: 'elsewhere', keyIds: [] };
  await node.keys.report(report);
  const [own, behind, ...others] = await runCheck(database, rightNow);
  assert.equal(own?.level, 'ok');
  assert.deepEqual(others, []);
  assert.equal(behind?.level, 'error');
  const found =
    /^the clock of node-b was (4\d(?:\.\d)?) s behind the database's when process 7 there last reported, \d+ s ago; with more than 30 s a node is not ready$/;
  assert.match(behind?.message ?? '', found);
  assert.match(
    behind?.advice ?? '',
    /^set the clock of node-b, or of the machine of this container, and let NTP keep it: /,
  );
  aheadMs = 12_000;
  assert.equal(await node.keys.noteAlive('p'), true);
  const [, ahead] = await runCheck(database, rightNow);
  assert.equal(ahead?.level, 'warning');
  assert.match(ahead?.message ?? '', /^the clock of node-b was 1[12](\.\d)? s ahead of the database's when /);
  aheadMs = 0;
  assert.equal(await node.keys.noteAlive('p'), true);
  assert.equal((await runCheck(database, rightNow)).length, 1);
});

test('a machine is named once, whatever its containers, and neither an ended process nor one of an earlier release is', async (t) => {
  const database = await makeDatabase(t);
  const report = (id: string, place: string, seenAtMs: number, differenceMs: number | null) =>
    runSql(
      database,
      `insert into key_holder (process_id, host, pid, place, key_ids, seen_at, clock_difference_ms)
        values ('${id}', 'host-${place}', ${process.pid}, '${place}', '[]', ${seenAtMs}, ${differenceMs})`,
    );
  await report('a', 'b pid:[1]', Date.now(), 40_000);
  await report('b', 'b pid:[2]', Date.now(), 41_000);
  await report('c', 'c', Date.now() - 200_000, 50_000);
  await report('d', 'd', Date.now(), null);
  await report('e', processPlace(), Date.now(), 60_000);
  await report('f', `${machineOf(processPlace())} pid:[1]`, Date.now(), 59_000);
  const told = async (now: () => number) => (await runCheck(database, now)).map(({ message }) => message);
  const [own, ...nodes] = await told(() => Date.now() + 60_000);
  assert.match(own ?? '', /^this machine's clock is (60|59\.\d) s ahead of the database's; /);
  assert.deepEqual(
    nodes.map((message) => message.split(' s ahead')[0]),
    ['the clock of host-b pid:[2] was 41'],
    'the finding about this machine covers its processes',
  );
  // With a right clock here, only a report from before it was set can name this machine.
  assert.equal((await told(Date.now)).length, 3);
});

test('tables of the release before, without clocks, are examined', async (t) => {
  const database = await makeDatabase(t);
  await runSql(database, 'alter table key_holder drop column clock_difference_ms');
  await runSql(database, "delete from kysely_migration where name = '015-process-clock'");
  assert.equal((await runCheck(database, Date.now)).length, 1);
});

async function makeDatabase(t: TestContext): Promise<string> {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const database = await postgres.createMigratedDatabase();
  // Migrates it where the tests did not prepare one.
  await (await openPostgresDatabase({ ...patient, url: database })).close();
  return database;
}

async function runCheck(database: string, now: () => number): Promise<readonly Finding[]> {
  const settings = readSettings({ database }, {});
  const inspection = await openInspection(settings, now);
  const findings = (await checkClock.run({
    inspection,
    settings,
    now,
    backupFolder: '',
    quick: false,
    lockWaitMs: 0,
    environment: {},
    memory: { constrainedBytes: 0, totalBytes: 0, heapBytesMax: 0 },
    environmentWarnings: [],
    findLastBackup: async () => undefined,
  })) as readonly Finding[];
  await inspection.close();
  return findings;
}
