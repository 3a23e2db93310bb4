import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres } from '../../../test/test-postgres.ts';
import { DatabaseBusyError } from '../database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';

test('work that fails while a claim of signature and nonce is made is reported as itself', async (t) => {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ url, statementTimeoutMs: 200 });
  t.after(() => database.close());
  const { db } = openSessionWithoutTimeout(url, 5_000);
  t.after(() => db.destroy());
  const tenant = await database.tenants.insertTenant('one');
  assert(tenant !== undefined);
  const audit = { operation: 'test', changes: {} };
  const id = await database.write(tenant.id, undefined, async (directory) => ({
    result: await directory.insertUser('locked', {}),
    audit,
  }));
  assert(id !== undefined);
  await sql`begin`.execute(db);
  await sql`select id from "user" where id = ${id} for update`.execute(db);
  const claim = {
    signature: Buffer.alloc(32, 1),
    nonce: { appId: 'app', value: 'nonce' },
    requestId: 'r',
    expiresAtSeconds: 2_000_000_000,
  };
  const write = () =>
    database.write(tenant.id, claim, async (directory) => ({
      result: await directory.lockUser({ id }),
      audit,
    }));
  await assert.rejects(write(), DatabaseBusyError);
  await sql`rollback`.execute(db);
  assert.equal((await write())?.username, 'locked', 'nothing was claimed');
});
