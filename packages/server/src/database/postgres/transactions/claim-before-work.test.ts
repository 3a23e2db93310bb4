import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres } from '../../../../test/test-postgres.ts';
import { AlreadyAcceptedError } from '../../claims.ts';
import { DatabaseBusyError } from '../../database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';

const audit = { operation: 'test', changes: {} };

async function openDatabase(t: TestContext, statementTimeoutMs: number) {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ url, statementTimeoutMs });
  t.after(() => database.close());
  const tenant = await database.tenants.insertTenant('one');
  assert(tenant !== undefined);
  const id = await database.write(tenant.id, undefined, async (directory) => {
    await directory.stores.insert('A', {});
    return { result: await directory.insertUser('locked', {}), audit };
  });
  assert(id !== undefined);
  return { url, database, tenant, id };
}

test('a copy is refused as a copy, even if a statement that nobody waited for fails because of the first one', async (t) => {
  const { database, tenant, id } = await openDatabase(t, 10_000);
  const claim = { signature: Buffer.alloc(32, 1), requestId: 'r', expiresAtSeconds: 2_000_000_000 };
  const bind = () =>
    database.write(tenant.id, claim, async (directory) => {
      await directory.lockUser({ id });
      await directory.insertUserStore(id, 'A');
      return { result: undefined, audit };
    });
  await bind();
  for (let copies = 0; copies < 20; copies++) await assert.rejects(bind(), AlreadyAcceptedError);
});

test('work that fails while a claim of signature and nonce is made is reported as itself', async (t) => {
  const { url, database, tenant, id } = await openDatabase(t, 200);
  const { db } = openSessionWithoutTimeout(url, 5_000);
  t.after(() => db.destroy());
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
