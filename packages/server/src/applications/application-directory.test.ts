import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { applications, type Credentials, startTestServer } from '../../test/test-server.ts';
import { issueApplication, revokeApplication, updateApplication } from '../admin/applications.ts';
import type { SealedValue } from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite/open.ts';
import { ApplicationDirectory } from './application-directory.ts';
import { SecretVault, UnknownKeyError } from './secret-vault.ts';

const server = await startTestServer();
/** Database access of a second process: an operator's command. */
const operator = {
  database: await openSqliteDatabase({ folder: server.folder, now: () => server.nowMs }),
  vault: server.vault,
};
after(async () => {
  await operator.database.close();
  await server.close();
});

const { main } = applications;

async function codeFor(as: Credentials): Promise<number> {
  return (await server.call('GET', '/user?username=nobody', undefined, { as })).envelope.code;
}

async function issue(appId: string, scope: 'read' | 'write' = 'write'): Promise<Credentials> {
  return issueApplication(operator, { name: appId, tenant: 'default', scope, appId });
}

/** Rotates like the operator's command, on the server's clock. */
async function rotate({ appId }: Credentials, oldEndsInMs: number): Promise<Credentials> {
  const appSecret = `rotated-${Math.random()}`;
  const sealed = server.vault.seal(appId, appSecret);
  await operator.database.applications.addSecret(appId, {
    sealed,
    oldExpiresAtMs: server.nowMs + oldEndsInMs,
  });
  return { appId, appSecret };
}

test('an application issued by another process is honoured after the next poll, without a restart', async () => {
  const issued = await issue('issued-later');
  await server.app.applications.refresh();
  assert.equal(await codeFor(issued), 1101);
});

test('a change is noticed without a request', async () => {
  const issued = await issue('watched');
  const deadline = performance.now() + 10_000;
  while ((await codeFor(issued)) === 1013) {
    assert(performance.now() < deadline, 'noticed by now');
    await new Promise((resume) => setTimeout(resume, 10));
  }
});

/** Collects the pads of the secrets that are opened while `act` runs. */
async function padsOpened({ mock }: TestContext, act: () => Promise<void>): Promise<Buffer[]> {
  const spy = mock.method(Buffer, 'alloc');
  await act();
  spy.mock.restore();
  return spy.mock.calls.filter(({ arguments: [size] }) => size === 160).map(({ result }) => result as Buffer);
}

function isWiped(pads: Buffer): boolean {
  return pads.every((byte) => byte === 0);
}

test('the pads of secrets are wiped by the next reload, and once their secret has expired', async (t) => {
  const old = await issue('wiped');
  const { applications: directory } = server.app;
  const first = await padsOpened(t, () => directory.refresh());
  assert(first.length > 0 && !first.some(isWiped));
  const fresh = await rotate(old, 5_000);
  const second = await padsOpened(t, () => directory.refresh());
  assert(first.every(isWiped) && !second.some(isWiped));
  server.nowMs += 5_000;
  await directory.refresh();
  assert.equal(second.filter(isWiped).length, 1, 'although the application has made no call since');
  assert.equal(await codeFor(fresh), 1101);
  server.nowMs -= 5_000;
  assert.equal(await codeFor(old), 1101);
});

test('after a rotation both secrets sign until the old one expires, then only the new one', async () => {
  const old = await issue('rotated');
  const fresh = await rotate(old, 5000);
  await server.app.applications.refresh();
  assert.deepEqual([await codeFor(old), await codeFor(fresh)], [1101, 1101]);
  server.nowMs += 4999;
  assert.deepEqual([await codeFor(old), await codeFor(fresh)], [1101, 1101]);
  server.nowMs += 1;
  assert.deepEqual([await codeFor(old), await codeFor(fresh)], [1014, 1101]);
});

const metric = async (index: number) => server.app.applications.metricSources()[index]?.read();

test('the metric of applications is the first expiry of one that may call', async () => {
  for (const appId of ['leaves-first', 'leaves-later']) await issue(appId);
  const startMs = server.nowMs;
  await updateApplication(operator, 'leaves-first', { expiresAtMs: startMs + 20 });
  await updateApplication(operator, 'leaves-later', { expiresAtMs: startMs + 40 });
  await server.app.applications.refresh();
  assert.equal(await metric(1), (startMs + 20) / 1000);
  await updateApplication(operator, 'leaves-first', { status: 'suspended' });
  await server.app.applications.refresh();
  assert.equal(await metric(1), (startMs + 40) / 1000);
  server.nowMs += 40;
  assert.equal(await metric(1), undefined);
});

const hour = 3_600_000;

test('the metric leaves out the old secret of a rotation until half of its time is over', async () => {
  const old = await issue('has-time');
  await rotate(old, 24 * hour);
  await server.app.applications.refresh();
  const endSeconds = (server.nowMs + 24 * hour) / 1000;
  server.nowMs += 12 * hour - 1;
  assert.notEqual(await metric(0), endSeconds);
  server.nowMs += 1;
  assert.equal(await metric(0), endSeconds);
  await revokeApplication(operator, old.appId);
  await server.app.applications.refresh();
});

test('the metric leaves out an old secret once the new one is used and the old one is not, until the old one is used', async () => {
  const old = await issue('changes-over');
  const fresh = await rotate(old, 24 * hour);
  await server.app.applications.refresh();
  const endSeconds = (server.nowMs + 24 * hour) / 1000;
  server.nowMs += 12 * hour;
  assert.equal(await metric(0), endSeconds, 'nobody has used the new one');
  await codeFor(fresh);
  assert.notEqual(await metric(0), endSeconds, 'the rotation is complete');
  server.nowMs += 2 * hour;
  await codeFor(old);
  assert.equal(await metric(0), endSeconds, 'a nightly job did not change');
  await revokeApplication(operator, old.appId);
  await server.app.applications.refresh();
});

test('the metric knows the uses that another process has recorded', async () => {
  const old = await issue('used-elsewhere');
  await rotate(old, 86_400_000);
  const endSeconds = (server.nowMs + 86_400_000) / 1000;
  await server.app.applications.refresh();
  server.nowMs += 12 * hour;
  assert.equal(await metric(0), endSeconds);
  const secrets = (await operator.database.applications.findApplication(old.appId))?.secrets ?? [];
  await operator.database.applications.recordSecretsUsed(new Map([[secrets.at(-1)?.id ?? 0n, server.nowMs]]));
  await operator.database.bookkeeping.flush();
  assert.notEqual(await metric(0), endSeconds);
});

test('the metric is the expiry of the secret that ends next, until it has ended or its application is revoked', async () => {
  const nextExpiry = () => metric(0);
  const old = await issue('ends-first');
  await rotate(old, 20);
  await rotate(await issue('ends-second'), 40);
  await server.app.applications.refresh();
  const startMs = server.nowMs;
  server.nowMs += 19;
  assert.equal(await nextExpiry(), (startMs + 20) / 1000);
  server.nowMs += 1;
  assert.equal(await nextExpiry(), (startMs + 40) / 1000);
  await revokeApplication(operator, 'ends-second');
  await server.app.applications.refresh();
  assert.notEqual(await nextExpiry(), (startMs + 40) / 1000);
});

test('the metric leaves out the secrets of applications that are suspended or have expired', async () => {
  const nextExpiry = () => metric(0);
  for (const appId of ['suspended', 'expired']) await rotate(await issue(appId), 20);
  const startMs = server.nowMs;
  await server.app.applications.refresh();
  server.nowMs += 10;
  assert.equal(await nextExpiry(), (startMs + 20) / 1000);
  await updateApplication(operator, 'suspended', { status: 'suspended' });
  await updateApplication(operator, 'expired', { expiresAtMs: startMs + 11 });
  await server.app.applications.refresh();
  server.nowMs += 1;
  assert.notEqual(await nextExpiry(), (startMs + 20) / 1000);
});

test('an old secret signs again once a clock that ran past its expiry is set back', async () => {
  const old = await issue('clock-set-back');
  const fresh = await rotate(old, 86_400_000);
  await server.app.applications.refresh();
  server.nowMs += 2 * 86_400_000;
  assert.deepEqual([await codeFor(old), await codeFor(fresh)], [1014, 1101]);
  server.nowMs -= 2 * 86_400_000;
  assert.deepEqual([await codeFor(old), await codeFor(fresh)], [1101, 1101]);
});

test('a rotation that ends the old secret at once leaves only the new one', async () => {
  const old = await issue('rotated-at-once');
  const fresh = await rotate(old, 0);
  await server.app.applications.refresh();
  assert.deepEqual([await codeFor(old), await codeFor(fresh)], [1014, 1101]);
});

test('at most two secrets sign: a second rotation in a row ends the first', async () => {
  const first = await issue('rotated-twice');
  const second = await rotate(first, 60_000);
  const third = await rotate(first, 60_000);
  await server.app.applications.refresh();
  const codes = [await codeFor(first), await codeFor(second), await codeFor(third)];
  assert.deepEqual(codes, [1014, 1101, 1101]);
});

test('a write signed with either secret belongs to the same application', async () => {
  const old = await issue('two-secrets');
  const fresh = await rotate(old, 60_000);
  await server.app.applications.refresh();
  for (const [index, as] of [old, fresh].entries()) {
    const body = { username: `two.secrets.${index}` };
    const [row] = await server.auditOf(await server.succeed('POST', '/user/stores', body, { as }));
    assert.equal(row?.appId, 'two-secrets');
  }
});

test('a revoked application is 1013, as an unknown one is', async () => {
  const revoked = await issue('revoked');
  await server.app.applications.refresh();
  assert.equal(await codeFor(revoked), 1101);
  await revokeApplication(operator, 'revoked');
  await server.app.applications.refresh();
  await server.refuse(1013, /^the application "rev…" is unknown or revoked; check the APPID/, [
    'GET',
    '/user?username=nobody',
    undefined,
    { as: revoked },
  ]);
});

test('a process that a rotation of the master key left behind honours every change that needs no key', async () => {
  const [kept, revoked, suspended] = [
    await issue('kept'),
    await issue('revoked-now'),
    await issue('suspended-now'),
  ];
  await server.app.applications.refresh();
  const other = new SecretVault(new Uint8Array(32).fill(9));
  const values = (await operator.database.keys.listSealed()).filter(({ place }) => 'appId' in place);
  const reseal = (value: SealedValue) =>
    'appId' in value.place && value.place.appId === kept.appId
      ? [{ ...value, resealed: other.seal(kept.appId, kept.appSecret) }]
      : [];
  assert.equal(await operator.database.keys.reseal(values.flatMap(reseal)), 1);
  await revokeApplication(operator, revoked.appId);
  await updateApplication(operator, suspended.appId, { status: 'suspended' });
  await assert.rejects(server.app.applications.refresh(), UnknownKeyError);
  assert.deepEqual(
    [await codeFor(kept), await codeFor(revoked), await codeFor(suspended)],
    [1101, 1013, 1013],
  );
  const later = await issue('issued-under-a-held-key');
  await assert.rejects(server.app.applications.refresh(), UnknownKeyError);
  assert.equal(await codeFor(later), 1101);
  await revokeApplication(operator, kept.appId);
  await server.app.applications.refresh();
  assert.equal(await codeFor(kept), 1013);
});

test('an application whose secrets have all expired is 1013', async () => {
  const ended = await issue('ended');
  await operator.database.applications.addSecret('ended', {
    sealed: server.vault.seal('ended', 'x'),
    oldExpiresAtMs: server.nowMs,
  });
  await server.db
    .updateTable('application_secret')
    .set({ expires_at: BigInt(server.nowMs + 1000) })
    .where('app_id', '=', 'ended')
    .execute();
  await server.app.applications.refresh();
  server.nowMs += 1000;
  assert.equal(await codeFor(ended), 1013);
});

test('a poll that finds the same revision reads nothing more', async () => {
  await server.app.applications.refresh();
  const before = server.app.applications.find(main.appId);
  await server.app.applications.refresh();
  assert.equal(server.app.applications.find(main.appId), before);
});

test('a slow reload does not replace what a later one has read', async () => {
  const { appId } = await issue('revoked-meanwhile');
  const stored = operator.database.applications;
  const slow = Promise.withResolvers<void>();
  let lists = 0;
  const applications = {
    revision: () => stored.revision(),
    async listApplications() {
      const list = await stored.listApplications();
      if (++lists === 1) await slow.promise;
      return list;
    },
  };
  const directory = new ApplicationDirectory({ applications } as never, server.vault, () => server.nowMs);
  const first = directory.refresh();
  while (lists === 0) await nextIteration();
  await revokeApplication(operator, appId);
  const later = [directory.refresh(), directory.refresh()];
  // Time for a reload that does not wait for the first one.
  for (let iteration = 0; iteration < 100; iteration++) await nextIteration();
  slow.resolve();
  await Promise.all([first, ...later]);
  assert.equal(directory.find(appId), undefined);
  assert.equal(lists, 2, 'calls during a reload share the next one');
});

test('the last use of each secret is recorded', async () => {
  const old = await issue('used');
  await rotate(old, 60_000);
  await server.app.applications.refresh();
  await codeFor(old);
  await server.app.applications.recordUse();
  await server.database.bookkeeping.flush();
  const secrets = (await operator.database.applications.findApplication('used'))?.secrets ?? [];
  assert.deepEqual(
    secrets.map((secret) => secret.lastUsedAtMs),
    [server.nowMs, undefined],
  );
});

test('a use soon after a recorded one is recorded later', async () => {
  const often = await issue('often');
  const { applications } = server.app;
  await applications.refresh();
  const usedAt = async () =>
    (await operator.database.applications.findApplication('often'))?.secrets[0]?.lastUsedAtMs;
  await codeFor(often);
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  const firstUse = server.nowMs;
  assert.equal(await usedAt(), firstUse);
  server.nowMs += 59_999;
  await codeFor(often);
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  assert.equal(await usedAt(), firstUse);
  server.nowMs += 1;
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  assert.equal(await usedAt(), firstUse + 59_999);
});

test('a use after the clock was set back is recorded at once', async () => {
  const back = await issue('back');
  const { applications } = server.app;
  await applications.refresh();
  server.nowMs += 7_200_000;
  await codeFor(back);
  await applications.recordUse(60_000);
  server.nowMs -= 7_200_000;
  await codeFor(back);
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  const [secret] = (await operator.database.applications.findApplication('back'))?.secrets ?? [];
  assert.equal(secret?.lastUsedAtMs, server.nowMs);
});

test('uses of several secrets are recorded together, when the first is due', async () => {
  const [early, late] = [await issue('early'), await issue('late')];
  const { applications } = server.app;
  await applications.refresh();
  const usesWritten = async () =>
    Promise.all(
      ['early', 'late'].map(
        async (appId) =>
          (await operator.database.applications.findApplication(appId))?.secrets[0]?.lastUsedAtMs,
      ),
    );
  await codeFor(early);
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  server.nowMs += 30_000;
  await codeFor(late);
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  server.nowMs += 30_000;
  await codeFor(early);
  await codeFor(late);
  await applications.recordUse(60_000);
  await server.database.bookkeeping.flush();
  assert.deepEqual(await usesWritten(), [server.nowMs, server.nowMs]);
});

test('a use that could not be recorded is recorded the next time', async () => {
  const { appId } = await issue('unlucky');
  const recorded: ReadonlyMap<bigint, number>[] = [];
  const { applications } = operator.database;
  const failingOnce = {
    revision: () => applications.revision(),
    listApplications: () => applications.listApplications(),
    recordSecretsUsed: async (uses: ReadonlyMap<bigint, number>) => {
      if (recorded.push(uses) === 1) throw new Error('the disk is full');
    },
  };
  const database = { ...operator.database, applications: failingOnce } as unknown as typeof operator.database;
  const directory = new ApplicationDirectory(database, server.vault, () => 1234);
  await directory.refresh();
  directory.noteUse(appId, 0, 1234);
  await assert.rejects(directory.recordUse(), /the disk is full/);
  await directory.recordUse();
  await directory.recordUse();
  assert.deepEqual(
    recorded.map((uses) => [...uses.values()]),
    [[1234], [1234]],
  );
});

test("an operator's own APPID and APPSECRET are accepted unchanged", async () => {
  const own = { appId: 'LEGACY.app_1@corp', appSecret: 'sécret with spaces: and / + = 字' };
  const request = { name: 'own', tenant: 'default', scope: 'read' as const, ...own };
  assert.deepEqual(await issueApplication(operator, request), own);
  await server.app.applications.refresh();
  assert.equal(await codeFor(own), 1101);
});
