import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { type CommitFault, CommitProxy } from '../../../../test/commit-proxy.ts';
import { openTestPostgres, patient, runSql, untilLocked } from '../../../../test/test-postgres.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { type AcceptanceClaim, AlreadyAcceptedError, OutcomeUnknownError } from '../../database.ts';
import { openPostgresDatabase } from '../open.ts';

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const proxy = await CommitProxy.start(url);
const database = await openPostgresDatabase({ ...patient, url: proxy.url });
const direct = await openPostgresDatabase({ ...patient, url });
after(async () => {
  await Promise.all([database.close(), direct.close()]);
  await proxy.stop();
  await postgres.stop();
});

afterEach(() => {
  proxy.onCommit = () => 'pass';
  proxy.refuses = false;
});

const tenant = await database.tenants.insertTenant('one');
assert(tenant !== undefined);
const tenantId = tenant.id;

/** Applies the fault to the next COMMIT only. */
function once(fault: CommitFault, before: () => unknown = () => {}): void {
  proxy.onCommit = async () => {
    proxy.onCommit = () => 'pass';
    await before();
    return fault;
  };
}

function newClaim(): AcceptanceClaim & { signature: Uint8Array } {
  return { signature: randomBytes(32), requestId: randomUUID(), expiresAtSeconds: 4_000_000_000 };
}

function write(
  claim: AcceptanceClaim | undefined,
  username: string,
  to = database,
): Promise<bigint | undefined> {
  return to.write(tenantId, claim, async (directory) => ({
    result: await directory.insertUser(username, {}),
    audit: { operation: 'test', changes: {} },
  }));
}

async function idOf(username: string): Promise<bigint | undefined> {
  return (await direct.directory(tenantId).findUser({ username }))?.id;
}

test('a write whose reply was lost succeeds with its result', async () => {
  once('lose reply');
  const id = await write(newClaim(), 'committed');
  assert.ok(id !== undefined);
  assert.equal(await idOf('committed'), id);
});

test('a write is not reported as busy when PostgreSQL crashes while it syncs the commit', async () => {
  once('report failed sync');
  const id = await write(newClaim(), 'synced.late');
  assert.ok(id !== undefined);
  assert.equal(await idOf('synced.late'), id);
  once('report failed sync');
  await assert.rejects(database.tenants.insertTenant('synced late'), isUnknown(false));
});

test('a write whose COMMIT was lost is reported as busy, and may be sent again', async () => {
  const claim = newClaim();
  once('lose commit');
  await assert.rejects(write(claim, 'rolled.back'), BusyError);
  assert.equal(await idOf('rolled.back'), undefined);
  assert.ok(await write(claim, 'rolled.back'));
});

test('a write whose copy was applied in the meantime is told so', async () => {
  const claim = newClaim();
  const copies: Promise<unknown>[] = [];
  once('lose commit', async () => {
    const copy = write({ ...claim, requestId: 'the copy' }, 'copied', direct);
    await untilLocked(url, copy);
    // Refuses connections until the copy ends, so that the first write asks about its fate after the copy's claim.
    proxy.refuses = true;
    copies.push(copy.finally(() => (proxy.refuses = false)));
  });
  await assert.rejects(write(claim, 'copied'), AlreadyAcceptedError);
  await Promise.all(copies);
  assert.ok(await idOf('copied'));
});

test('without a claim, the outcome cannot be determined', async () => {
  for (const fault of ['lose reply', 'lose commit'] as const) {
    once(fault);
    await assert.rejects(write(undefined, fault.replace(' ', '.')), isUnknown(false));
  }
  assert.ok(await idOf('lose.reply'));
  assert.equal(await idOf('lose.commit'), undefined);
});

test('a claim that may have been purged meanwhile proves nothing', async () => {
  const claim = { ...newClaim(), expiresAtSeconds: 2_000 };
  once('lose commit', () => runSql(url, "update counter set value = 2000 where name = 'purged_through'"));
  await assert.rejects(write(claim, 'purged'), isUnknown(true));
});

test('a database that does not come back in time leaves the outcome unknown', async () => {
  once('lose reply', () => {
    proxy.refuses = true;
  });
  const claim = newClaim();
  await assert.rejects(write(claim, 'unreachable'), isUnknown(true));
  proxy.refuses = false;
  await assert.rejects(write({ ...claim, requestId: 'again' }, 'unreachable'), AlreadyAcceptedError);
});

test('the outcome of a transaction that stays open remains unknown', async () => {
  const claim = newClaim();
  once('keep from database');
  await assert.rejects(write(claim, 'kept'), isUnknown(true));
  proxy.breakAll();
  assert.ok(await write({ ...claim, requestId: 'again' }, 'kept', direct));
});

test('a read whose nonce was claimed in the lost transaction goes on', async () => {
  const nonce = { appId: 'app', value: randomUUID() };
  once('lose reply');
  await database.claims.make({ nonce, requestId: 'first', expiresAtSeconds: 4_000_000_000 });
  once('lose commit');
  const other = { nonce: { ...nonce, appId: 'other' }, requestId: 'r', expiresAtSeconds: 4_000_000_000 };
  await assert.rejects(database.claims.make(other), BusyError);
  await assert.rejects(
    database.claims.make({ nonce, requestId: 'second', expiresAtSeconds: 4_000_000_000 }),
    AlreadyAcceptedError,
  );
});

test('a change by an operator reports that its outcome is unknown', async () => {
  once('lose reply');
  await assert.rejects(database.tenants.insertTenant('lost'), isUnknown(false));
  assert.ok(await database.tenants.findTenant('lost'));
});

test('a COMMIT that the database refuses does not count as lost', async () => {
  await runSql(
    url,
    `create function refuse() returns trigger language plpgsql as $$ begin
      if new.username = 'refused' then raise exception 'refused' using errcode = '40001'; end if; return null; end $$`,
  );
  await runSql(
    url,
    `create constraint trigger refuse after insert on "user" deferrable initially deferred
      for each row execute function refuse()`,
  );
  const faults = proxy.faults;
  await assert.rejects(write(newClaim(), 'refused'), /the transaction lost to concurrent writes 10 times/);
  assert.equal(proxy.faults, faults);
  assert.equal(await idOf('refused'), undefined);
});

function isUnknown(claimed: boolean): (error: unknown) => true {
  return (error) => {
    assert(error instanceof OutcomeUnknownError, String(error));
    assert.equal(error.claimed, claimed);
    return true;
  };
}
