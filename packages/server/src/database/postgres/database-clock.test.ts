import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestPostgres, patient } from '../../../test/test-postgres.ts';
import { DatabaseClock } from './database-clock.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
after(async () => {
  await db.destroy();
  await postgres.stop();
});

test('after a reading, a step of this clock does not change the time that is known of the database', async () => {
  const own = { nowMs: 9_000, elapsedMs: 0.5 };
  const clock = new DatabaseClock(db, { now: () => own.nowMs, elapsedMs: () => own.elapsedMs });
  assert.equal(clock.estimateMs(), 9_000, 'its own time before the first reading');
  const readMs = await clock.timeMs();
  assert.equal(clock.estimateMs(), readMs);
  own.nowMs += 7_200_000;
  own.elapsedMs += 1_000;
  assert.equal(clock.estimateMs(), readMs + 1_000);
  assert.equal(clock.differenceMs(), 9_000 - readMs, 'of the last reading');
});

test('a process that opens the database knows its time, and ends counts of wrong passwords and links by it', async (t) => {
  const rightNow = Date.now;
  t.mock.method(Date, 'now', () => rightNow() + 7_200_000);
  await using closing = new AsyncDisposableStack();
  const database = await openPostgresDatabase({ ...patient, url });
  closing.defer(() => database.close());
  const hourMs = 3_600_000;
  const isNear = (timeMs: number | undefined) =>
    assert.ok(Math.abs((timeMs ?? Number.NaN) - rightNow()) < hourMs, String(timeMs));
  isNear(database.claims.estimateTimeMs());
  const counts = await database.bookkeeping.passwordFailures.change([{ subject: 's', add: 1 }], 60_000);
  isNear(counts.get('s')?.endsAtMs);
  const link = { role: 'owner', allTenants: true, tenantIds: [], tokenHash: 'a'.repeat(64) } as const;
  await database.operators.write(undefined, async (operators) => {
    await operators.insertLink({ ...link, expiresAtMs: rightNow() + hourMs });
    return { result: undefined };
  });
  assert.equal((await database.operators.listLinks()).length, 1);
  assert.equal(await database.operators.countExpiredLinks(), 0);
});
