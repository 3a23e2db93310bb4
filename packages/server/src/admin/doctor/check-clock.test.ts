import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestPostgres, patient } from '../../../test/test-postgres.ts';
import { readSettings } from '../../config.ts';
import { openPostgresDatabase } from '../../database/postgres/open.ts';
import { openInspection } from '../inspect-directory.ts';
import { checkClock } from './check-clock.ts';
import type { Finding } from './finding.ts';

test('the time that the database takes to answer is no difference of the clocks', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const database = await postgres.createMigratedDatabase();
  // Migrates it where the tests did not prepare one.
  await (await openPostgresDatabase({ ...patient, url: database })).close();
  const settings = readSettings({ database }, {});
  let readings = 0;
  // A minute passes between any two readings, and so between the question and its answer.
  const now = () => Date.now() + 60_000 * readings++;
  const inspection = await openInspection(settings, now);
  const [finding] = (await checkClock.run({
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
  assert.deepEqual(
    [finding?.level, finding?.message],
    ['ok', "this machine's clock is 0 s ahead of the database's"],
  );
});
