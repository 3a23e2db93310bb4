import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openTestPostgres, patient } from '../../../test/test-postgres.ts';
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
