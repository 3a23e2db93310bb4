import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommitProxy } from '../../test/commit-proxy.ts';
import { openTestPostgres, patientDirectory } from '../../test/test-postgres.ts';
import { AdminError } from './admin-error.ts';
import { issueApplication, revokeApplication, rotateSecret } from './applications.ts';
import { openDirectory } from './open-directory.ts';
import { createTenant, tenantNameProblem, UnknownTenantError } from './tenants.ts';

const data = mkdtempSync(join(tmpdir(), 'fieldroster-admin-'));
const directory = await openDirectory({ data, environment: {} });
after(async () => {
  await directory.database.close();
  rmSync(data, { recursive: true });
});

const { applications } = directory.database;
const request = { name: 'CRM', tenant: 'default', scope: 'write' as const };

async function secretsOf(appId: string): Promise<string[]> {
  const application = await applications.findApplication(appId);
  return (application?.secrets ?? []).map(({ sealed }) => directory.vault.open(appId, sealed));
}

test('an application is issued with fresh credentials, and its secret opens from the database', async () => {
  const { appId, appSecret } = await issueApplication(directory, request);
  const application = await applications.findApplication(appId);
  assert.equal(application?.name, 'CRM');
  assert.equal(application.tenantName, 'default');
  assert.equal(application.scope, 'write');
  assert.deepEqual(await secretsOf(appId), [appSecret]);
});

test('a taken or malformed APPID is refused, and the message says what to do', async () => {
  await issueApplication(directory, { ...request, appId: 'taken' });
  const issue = (extra: object) => issueApplication(directory, { ...request, ...extra });
  await assert.rejects(issue({ appId: 'taken' }), /AdminError: the APPID taken is taken; choose another one/);
  await assert.rejects(issue({ appId: 'a:b' }), AdminError);
  await assert.rejects(issue({ appSecret: '' }), AdminError);
});

test("another application's APPSECRET is refused, even in another tenant, and not repeated in the message", async () => {
  const appSecret = 'one secret for two applications';
  await issueApplication(directory, { ...request, appId: 'first-of-two', appSecret });
  await createTenant(directory, 'elsewhere');
  await assert.rejects(
    issueApplication(directory, { ...request, appId: 'second-of-two', tenant: 'elsewhere', appSecret }),
    {
      name: 'AdminError',
      message:
        'the APPSECRET is already that of the application first-of-two; each application needs one of its own',
    },
  );
  assert.equal(await applications.findApplication('second-of-two'), undefined);
});

test('a malformed APPSECRET is not repeated in the message', async () => {
  const refused = issueApplication(directory, { ...request, appSecret: 'planted\nsecret' });
  await assert.rejects(refused, (error: Error) => !error.message.includes('planted'));
});

test('an unknown tenant is refused, and the message names it and the command that creates it', async () => {
  await assert.rejects(
    issueApplication(directory, { ...request, tenant: 'acme' }),
    (error: unknown) =>
      error instanceof UnknownTenantError && error.message.includes('fieldroster tenant create acme'),
  );
});

test('a rotation creates a new secret and sets the requested expiry of the old one', async () => {
  const { appId, appSecret } = await issueApplication(directory, request);
  const before = Date.now();
  const rotated = await rotateSecret(directory, appId, 86_400_000);
  assert.notEqual(rotated.appSecret, appSecret);
  assert.deepEqual(await secretsOf(appId), [appSecret, rotated.appSecret]);
  assert(rotated.oldExpiresAtMs >= before + 86_400_000);
  const [old, fresh] = (await applications.findApplication(appId))?.secrets ?? [];
  assert.deepEqual([old?.expiresAtMs, fresh?.expiresAtMs], [rotated.oldExpiresAtMs, undefined]);
});

test('a second rotation says which secret it ended, unless that had expired', async () => {
  const { appId } = await issueApplication(directory, request);
  await rotateSecret(directory, appId, 86_400_000);
  const [oldest] = (await applications.findApplication(appId))?.secrets ?? [];
  assert.deepEqual((await rotateSecret(directory, appId, 0)).ended, [oldest]);
  assert.deepEqual((await rotateSecret(directory, appId, 0)).ended, []);
});

test('the newest secret is not replaced if it was used, and the only one is rotated', async () => {
  const { appId, appSecret } = await issueApplication(directory, request);
  const replaceNewest = true;
  const first = await rotateSecret(directory, appId, 60_000, { replaceNewest });
  assert.deepEqual(await secretsOf(appId), [appSecret, first.appSecret]);
  assert.equal(first.replacedNewest, false);
  const second = await rotateSecret(directory, appId, 0, { replaceNewest });
  assert.deepEqual(await secretsOf(appId), [appSecret, second.appSecret]);
  assert.deepEqual([second.replacedNewest, second.oldExpiresAtMs], [true, first.oldExpiresAtMs]);
  const newest = (await applications.findApplication(appId))?.secrets.at(-1)?.id ?? 0n;
  await applications.recordSecretsUsed(new Map([[newest, Date.now()]]));
  await directory.database.bookkeeping.flush();
  await assert.rejects(rotateSecret(directory, appId, 0, { replaceNewest }), {
    name: 'AdminError',
    message: new RegExp(`^the newest secret of ${appId} was used at .*, so it is not lost; `),
  });
  assert.deepEqual(await secretsOf(appId), [appSecret, second.appSecret]);
});

test('a rotation whose commit gets no reply says how to find out, and replaces no secret that clients use', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const proxy = await CommitProxy.start(await postgres.createMigratedDatabase());
  t.after(() => proxy.stop());
  const remote = await openDirectory({ ...patientDirectory, data, database: proxy.url, environment: {} });
  t.after(() => remote.database.close());
  const { appId } = await issueApplication(remote, request);
  proxy.onCommit = () => 'lose reply';
  await assert.rejects(rotateSecret(remote, appId, 60_000), {
    name: 'AdminError',
    message: new RegExp(
      `fieldroster app show ${appId} .*: fieldroster app rotate ${appId} --replace-newest; `,
    ),
  });
  await assert.rejects(issueApplication(remote, { ...request, appId: 'unknown-outcome' }), {
    name: 'AdminError',
    message: /if fieldroster app list names it, fieldroster app rotate unknown-outcome makes a secret/,
  });
});

test('a revocation holds, may be repeated, and allows no rotation', async () => {
  const { appId } = await issueApplication(directory, request);
  await revokeApplication(directory, appId);
  await revokeApplication(directory, appId);
  assert.equal((await applications.findApplication(appId))?.status, 'revoked');
  await assert.rejects(
    rotateSecret(directory, appId, 0),
    /is revoked for good; issue another: fieldroster app create$/,
  );
});

test('an unknown application is neither rotated nor revoked', async () => {
  await assert.rejects(rotateSecret(directory, 'nobody', 0), /AdminError: there is no application nobody/);
  await assert.rejects(revokeApplication(directory, 'nobody'), AdminError);
});

test('a tenant is created once, and its name is checked', async () => {
  const tenant = await createTenant(directory, '北京 Ltd');
  assert.deepEqual(await directory.database.tenants.findTenant('北京 Ltd'), tenant);
  await assert.rejects(createTenant(directory, '北京 Ltd'), AdminError);
  assert.equal(tenantNameProblem('a'.repeat(100)), undefined);
  for (const refused of ['', ' a', 'a ', 'a\nb', 'a'.repeat(101)]) {
    assert.match(tenantNameProblem(refused) ?? '', /1 to 100/);
  }
});
