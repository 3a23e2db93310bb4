import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestPostgres, patient, runSql, type TestPostgres } from '../../../test/test-postgres.ts';
import { openPostgresDatabase } from './open.ts';
import type { PostgresDatabase } from './postgres-database.ts';

let postgres: TestPostgres;
let url: string;
let database: PostgresDatabase;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  url = await postgres.createMigratedDatabase();
  database = await openPostgresDatabase({ ...patient, url });
});

after(async () => {
  await database.close();
  await postgres.stop();
});

const report = (acceptedTotal: number) => ({ 'app-main': { demandPerSecond: 12.5, acceptedTotal } });

test('a node reads what other nodes left, and not its own reports', async () => {
  const { rateReports } = database;
  assert.deepEqual(await rateReports.exchange({ a1: report(1), a2: report(2) }), {});
  assert.deepEqual(await rateReports.exchange({ b1: report(3) }), { a1: report(1), a2: report(2) });
  assert.deepEqual(await rateReports.exchange({ a1: report(4), a2: report(5) }), { b1: report(3) });
  assert.deepEqual(await rateReports.exchange({ b1: report(6) }), { a1: report(4), a2: report(5) });
});

test('a process that is silent for five seconds has no demand, and after a minute it is forgotten', async () => {
  const { rateReports } = database;
  await rateReports.exchange({ a1: report(7), a2: report(8), b1: report(9) });
  await age('a1', 6_000);
  await age('a2', 61_000);
  assert.deepEqual(await rateReports.exchange({ b1: report(9) }), {
    a1: { 'app-main': { demandPerSecond: 0, acceptedTotal: 7 } },
  });
  assert.deepEqual(await runSql(url, 'select process from rate_report order by process'), [
    { process: 'a1' },
    { process: 'b1' },
  ]);
});

test("a process that ended before the database's clock was set back an hour has no demand", async () => {
  const { rateReports } = database;
  await rateReports.exchange({ a1: report(10), ended: report(11) });
  await age('ended', -3_600_000);
  assert.deepEqual(await rateReports.exchange({ b1: report(9) }), {
    a1: report(10),
    ended: { 'app-main': { demandPerSecond: 0, acceptedTotal: 11 } },
  });
});

async function age(process: string, ms: number): Promise<void> {
  await runSql(url, 'update rate_report set reported_at = reported_at - $2 where process = $1', [
    process,
    ms,
  ]);
}
