import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { runSql, startPostgres } from '../../../test/test-postgres.ts';
import { type AcceptanceClaim, AlreadyAcceptedError, OutcomeUnknownError } from '../database.ts';
import { openPostgresDatabase } from './open.ts';

// A commit that waits for a synchronous replica is visible once the wait is cancelled, but a failover would lose it.

const postgres = await startPostgres({ durable: false });
const url = await postgres.createMigratedDatabase();
const database = await openPostgresDatabase({ url, statementTimeoutMs: 200 });
after(async () => {
  await database.close();
  await postgres.stop();
});
afterEach(() => waitForReplica(''));

const tenant = await database.applications.insertTenant('one');
assert(tenant !== undefined);

/** Makes every commit wait for a replica of this name; for none if it is empty. */
async function waitForReplica(name: string): Promise<void> {
  await runSql(postgres.url, `alter system set synchronous_standby_names = '${name}'`);
  await runSql(postgres.url, 'select pg_reload_conf()');
  const names = async () =>
    (await runSql(postgres.url, 'show synchronous_standby_names'))[0]?.synchronous_standby_names;
  while ((await names()) !== name);
}

function newClaim(): AcceptanceClaim {
  return { signature: randomBytes(32), requestId: randomUUID(), expiresAtSeconds: 4_000_000_000 };
}

function write(claim: AcceptanceClaim, username: string): Promise<bigint | undefined> {
  return database.write(tenant?.id ?? 0n, claim, async (directory) => ({
    result: await directory.insertUser(username, {}),
    audit: { operation: 'test', changes: {} },
  }));
}

function isUnknown(error: unknown): true {
  assert(error instanceof OutcomeUnknownError, String(error));
  return true;
}

test('a write is not acknowledged, nor its copy answered as applied, while the replica lacks it', async () => {
  const claim = newClaim();
  await waitForReplica('absent');
  await assert.rejects(write(claim, 'unreplicated'), isUnknown);
  await assert.rejects(write({ ...claim, requestId: 'again' }, 'unreplicated'), isUnknown);
  await waitForReplica('');
  await assert.rejects(write({ ...claim, requestId: 'later' }, 'unreplicated'), AlreadyAcceptedError);
});

test('a write whose replica comes back while its outcome is looked up is acknowledged', async () => {
  await waitForReplica('absent');
  const written = write(newClaim(), 'replicated.late');
  while ((await runSql(url, "select 1 from pg_stat_activity where wait_event = 'SyncRep'")).length === 0);
  await waitForReplica('');
  assert.ok(await written);
});
