import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { patient, runSql, startPostgres, untilRow } from '../../../../test/test-postgres.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { type AcceptanceClaim, AlreadyAcceptedError, OutcomeUnknownError } from '../../database.ts';
import { openPostgresDatabase } from '../open.ts';

// A commit waits for its synchronous replica. If the wait is cancelled or the server crashes during it, the write is
// visible, but a failover would lose it.

const postgres = await startPostgres();
const url = await postgres.createMigratedDatabase();
const database = await openPostgresDatabase({ ...patient, url });
after(async () => {
  await database.close();
  await postgres.stop();
});
afterEach(() => waitForReplica(''));

const tenant = await database.tenants.insertTenant('one');
assert(tenant !== undefined);
const tenantId = tenant.id;

/** Makes every commit wait for a replica of this name; for none if it is empty. */
async function waitForReplica(name: string): Promise<void> {
  await runSql(postgres.url, `alter system set synchronous_standby_names = '${name}'`);
  await runSql(postgres.url, 'select pg_reload_conf()');
  const reloaded = "select 1 where current_setting('synchronous_standby_names') = $1";
  await untilRow(postgres.url, reloaded, { values: [name] });
  // The process that makes checkpoints also tells commits whether to wait. It may notice later than this connection, but
  // it does so before it makes a checkpoint.
  await runSql(postgres.url, 'checkpoint');
}

function newClaim(): AcceptanceClaim {
  return { signature: randomBytes(32), requestId: randomUUID(), expiresAtSeconds: 4_000_000_000 };
}

function write(claim: AcceptanceClaim, username: string): Promise<bigint | undefined> {
  return database.write(tenantId, claim, async (directory) => ({
    result: await directory.insertUser(username, {}),
    audit: { operation: 'test', changes: {} },
  }));
}

const waits = "from pg_stat_activity where wait_event = 'SyncRep'";
const cancelWaits = `select pg_cancel_backend(pid) ${waits}`;

function isUnknown(error: unknown): true {
  assert(error instanceof OutcomeUnknownError, String(error));
  assert.ok(error.claimed);
  return true;
}

const faults = {
  'the wait was cancelled': () => runSql(postgres.url, cancelWaits),
  'the server crashed during the wait': async () => {
    await postgres.kill();
    await postgres.start();
  },
};

for (const [fault, provoke] of Object.entries(faults)) {
  test(`a write that no replica has is not acknowledged, nor its copy answered as applied: ${fault}`, async () => {
    const claim = newClaim();
    await waitForReplica('absent');
    const rejected = assert.rejects(write(claim, fault), isUnknown);
    await untilRow(postgres.url, `select 1 ${waits}`);
    await provoke();
    await rejected;
    await assert.rejects(write({ ...claim, requestId: 'copy' }, fault), isUnknown);
    await assert.rejects(database.claims.refuseCopy({ ...claim, requestId: 'copy' }), isUnknown);
    await waitForReplica('');
    await assert.rejects(database.claims.refuseCopy(claim), AlreadyAcceptedError);
    await assert.rejects(write({ ...claim, requestId: 'later' }, fault), AlreadyAcceptedError);
  });
}

test('a write whose commit does not return is answered at its deadline, without a look-up of its outcome', async () => {
  await waitForReplica('absent');
  let [nowMs, readings] = [0, 0];
  const now = () => {
    readings += 1;
    return nowMs;
  };
  const written = runUnderDeadline(new Deadline(2_500, { now }), () => write(newClaim(), 'waiting'));
  const rejected = assert.rejects(written, isUnknown);
  await untilRow(postgres.url, `select 1 ${waits}`);
  [nowMs, readings] = [2_500, 0];
  await rejected;
  // A look-up asks again and again, and reads the clock each time.
  assert.ok(readings < 5, `the clock was read ${readings} times`);
});

test('a write whose replica comes back while its outcome is looked up is acknowledged', async () => {
  await waitForReplica('absent');
  const written = write(newClaim(), 'replicated.late');
  await untilRow(postgres.url, `select 1 ${waits}`);
  await runSql(postgres.url, cancelWaits);
  await untilRow(postgres.url, `select 1 ${waits} and query = 'commit'`);
  await waitForReplica('');
  assert.ok(await written);
});
