import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient, untilLocked, untilRow } from '../../../../test/test-postgres.ts';
import { ClaimsPurgedError, type Database } from '../../database.ts';
import { DatabaseClock } from '../database-clock.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';

/** Event orders that need an engine with several concurrent writers. */

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const [writer, purger] = [
  await openPostgresDatabase({ ...patient, url }),
  await openPostgresDatabase({ ...patient, url }),
];
const { db: observer } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
after(async () => {
  await observer.destroy();
  await Promise.all([writer.close(), purger.close()]);
  await postgres.stop();
});

const tenant = await writer.tenants.insertTenant('one');
assert(tenant !== undefined);
const tenantId = tenant.id;

const claim = { signature: Buffer.alloc(32, 1), requestId: 'r', expiresAtSeconds: 1_000 };

function write(database: Database): Promise<undefined> {
  return database.write(tenantId, claim, async () => ({
    result: undefined,
    audit: { operation: 'test', changes: {} },
  }));
}

/** Holds a purge inside its transaction, after its deletes, until the table `hold` is empty. */
async function holdPurges(): Promise<void> {
  await sql`create table hold (id int)`.execute(observer);
  await sql`insert into hold values (1)`.execute(observer);
  await sql`create function wait_while_held() returns trigger language plpgsql as $$ begin
    while exists (select from hold) loop perform pg_sleep(0.01); end loop;
    return null; end $$`.execute(observer);
  await sql`create trigger wait_while_held after delete on accepted_write
    for each statement execute function wait_while_held()`.execute(observer);
}

test('a replay that waits for a purge of its claim is refused once the purge is committed', async () => {
  await write(writer);
  await holdPurges();
  const purge = purger.claims.purge(1_001);
  const held = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await untilRow(url, held, { work: purge });
  const replay = assert.rejects(write(writer), ClaimsPurgedError);
  const claims = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database() and query like 'insert into "accepted_write"%'`;
  await untilRow(url, claims, { work: replay });
  await sql`delete from hold`.execute(observer);
  assert.equal(await purge, 1);
  await replay;
  const { rows } = await sql`select 1 from audit_event where operation = 'test'`.execute(observer);
  assert.equal(rows.length, 1);
});

test('a reset that waits for a purge records the value that the purge has left', async () => {
  const { db: purging } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  await sql`begin`.execute(purging);
  await sql`update counter set value = 7000 where name = 'purged_through'`.execute(purging);
  const reset = writer.claims.lowerPurgedThrough(500);
  await untilLocked(url, reset);
  await sql`commit`.execute(purging);
  await purging.destroy();
  assert.equal(await reset, true);
  const { rows } = await sql`select changes from audit_event where operation = 'claims reset'`.execute(
    observer,
  );
  assert.deepEqual(rows, [{ changes: '{"purged_through":{"from":7000,"to":500}}' }]);
});

test('the difference of the clocks is reported with its sign, minus the uncertainty of the round trip', async () => {
  for (const [aheadMs, least, most] of [
    [300_000, 200_000, 300_000],
    [-300_000, -300_000, -200_000],
    [0, 0, 0],
  ] as const) {
    const clock = new DatabaseClock(observer, {
      now: () => Date.now() + aheadMs,
      elapsedMs: () => performance.now(),
    });
    assert.equal(clock.differenceMs(), undefined);
    const timeMs = await clock.timeMs();
    assert.ok(Math.abs(timeMs - Date.now()) < 100_000);
    const difference = clock.differenceMs();
    assert.ok(difference !== undefined && difference >= least && difference <= most, String(difference));
  }
});
