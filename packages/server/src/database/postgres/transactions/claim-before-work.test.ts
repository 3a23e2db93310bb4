import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient } from '../../../../test/test-postgres.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { AlreadyAcceptedError } from '../../claims.ts';
import type { Database } from '../../database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';

const audit = { operation: 'test', changes: {} };

async function openDatabase(t: TestContext) {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
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
  const { database, tenant, id } = await openDatabase(t);
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

/** Returns the URL with which no statement waits long for a lock. Other work of the server may take its time. */
function withLockTimeout(url: string): string {
  const limited = new URL(url);
  limited.searchParams.set('options', '-c lock_timeout=200');
  // The driver does not decode `+` as a space.
  return limited.href.replaceAll('+', '%20');
}

test('work that fails while a claim of signature and nonce is made is reported as itself', async (t) => {
  const { url, database, tenant, id } = await openDatabase(t);
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => db.destroy());
  const hurried = await openPostgresDatabase({ ...patient, url: withLockTimeout(url) });
  t.after(() => hurried.close());
  await sql`begin`.execute(db);
  await sql`select id from "user" where id = ${id} for update`.execute(db);
  const claim = {
    signature: Buffer.alloc(32, 1),
    nonce: { appId: 'app', value: 'nonce' },
    requestId: 'r',
    expiresAtSeconds: 2_000_000_000,
  };
  const write = (to: Database) =>
    to.write(tenant.id, claim, async (directory) => ({
      result: await directory.lockUser({ id }),
      audit,
    }));
  await assert.rejects(write(hurried), BusyError);
  await sql`rollback`.execute(db);
  assert.equal((await write(database))?.username, 'locked', 'nothing was claimed');
});
