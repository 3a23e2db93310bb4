import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { patient, runSql, startPostgres, untilRow } from '../../../test/test-postgres.ts';
import { type AcceptanceClaim, OutcomeUnknownError } from '../database.ts';
import { openPostgresDatabase } from './open.ts';

// Only the warning of a cancelled wait for the synchronous replica says that a commit may be lost. Triggers that an
// operator adds may warn too, with the same code.

const postgres = await startPostgres();
const url = await postgres.createMigratedDatabase();
const database = await openPostgresDatabase({ ...patient, url });
after(async () => {
  await database.close();
  await postgres.stop();
});

const tenant = await database.tenants.insertTenant('one');
assert(tenant !== undefined);
const tenantId = tenant.id;

await runSql(url, 'create sequence claims_made');
await runSql(
  url,
  `create function count_claim() returns trigger language plpgsql as
    $$ begin perform nextval('claims_made'); return new; end $$`,
);
await runSql(
  url,
  'create trigger count_claim before insert on accepted_write for each row execute function count_claim()',
);
await runSql(
  url,
  `create function warn() returns trigger language plpgsql as
    $$ begin raise warning 'planted by %', tg_name; return new; end $$`,
);

const triggers = {
  'that runs with its statement':
    'create trigger warns after insert on audit_event for each row execute function warn()',
  'that runs at the commit':
    'create constraint trigger warns after insert on audit_event deferrable initially deferred for each row execute function warn()',
};

function newClaim(): AcceptanceClaim {
  return { signature: randomBytes(32), requestId: randomUUID(), expiresAtSeconds: 4_000_000_000 };
}

function write(claim: AcceptanceClaim | undefined, username: string): Promise<bigint | undefined> {
  return database.write(tenantId, claim, async (directory) => ({
    result: await directory.insertUser(username, {}),
    audit: { operation: 'test', changes: {} },
  }));
}

/** Returns how often a claim was made so far, also by look-ups that were rolled back. */
async function claimsMade(): Promise<number> {
  const [row] = await runSql(url, 'select last_value, is_called from claims_made');
  const { last_value, is_called } = row as { last_value: string; is_called: boolean };
  return is_called ? Number(last_value) : 0;
}

const waits = "from pg_stat_activity where wait_event = 'SyncRep'";

for (const [which, trigger] of Object.entries(triggers)) {
  test(`a write is not looked up after its commit because of a warning of a trigger ${which}`, async (t) => {
    await runSql(url, trigger);
    t.after(() => runSql(url, 'drop trigger warns on audit_event'));
    const before = await claimsMade();
    assert.ok(await write(newClaim(), `claimed ${which}`));
    assert.equal((await claimsMade()) - before, 1);
    assert.ok(await write(undefined, `unclaimed ${which}`));
  });
}

test('a cancelled wait for the replica is noticed beside the warnings of triggers', async () => {
  for (const [index, trigger] of Object.values(triggers).entries())
    await runSql(url, trigger.replace('warns', `warns_${index}`));
  await runSql(postgres.url, "alter system set synchronous_standby_names = 'absent'");
  await runSql(postgres.url, 'select pg_reload_conf()');
  await untilRow(postgres.url, "select 1 where current_setting('synchronous_standby_names') = 'absent'");
  await runSql(postgres.url, 'checkpoint');
  const rejected = assert.rejects(write(undefined, 'waiting'), OutcomeUnknownError);
  await untilRow(postgres.url, `select 1 ${waits}`);
  await runSql(postgres.url, `select pg_cancel_backend(pid) ${waits}`);
  await rejected;
});
