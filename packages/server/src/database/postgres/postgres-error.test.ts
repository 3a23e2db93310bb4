import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, runSql } from '../../../test/test-postgres.ts';
import { openSessionWithoutTimeout } from './open.ts';

const postgres = await openTestPostgres({ durable: false });
const url = await postgres.createDatabase();
await runSql(url, 'create table closed (a int)');
await runSql(url, "create role stranger_to_tables login password 'x'");
after(() => postgres.stop());

function changed(parts: Partial<URL>): string {
  return Object.assign(new URL(url), parts).href;
}

test('an error that an operator can repair says how', async () => {
  const stranger = { username: 'stranger_to_tables', password: 'x' };
  for (const [to, message] of [
    [
      changed({ pathname: '/nowhere' }),
      /nowhere is unavailable: database "nowhere" does not exist; correct the user, password or name in the database URL$/,
    ],
    [
      changed({ port: '1' }),
      /is unavailable: connect ECONNREFUSED 127\.0\.0\.1:1; start it, or correct the host and port in the database URL$/,
    ],
    [
      changed(stranger),
      /could not carry out the statement: permission denied for table closed; use the role that owns the tables, or grant it the right$/,
    ],
  ] as const) {
    const { db } = openSessionWithoutTimeout(to, 10_000);
    await assert.rejects(sql`select * from closed`.execute(db), { name: 'DatabaseBusyError', message });
    await db.destroy();
  }
});

test('a statement that gives up its wait for a lock says how to find who holds it', async () => {
  const { db: holder } = openSessionWithoutTimeout(url, 10_000);
  const { db: waiter } = openSessionWithoutTimeout(url, 10_000);
  await sql`begin`.execute(holder);
  await sql`lock table closed`.execute(holder);
  await sql`set lock_timeout = '50ms'`.execute(waiter);
  await assert.rejects(sql`select * from closed`.execute(waiter), {
    message: /did not answer in time: .*lock timeout; see who holds the lock with fieldroster doctor$/,
  });
  for (const db of [holder, waiter]) await db.destroy();
});
