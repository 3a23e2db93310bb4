import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
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

/** Issues an application and rotates its secret, and records when the first one was used. */
async function rotatedOnce(usedMsAgo: number, oldExpiresInMs = 86_400_000): Promise<string> {
  const { appId } = await issueApplication(directory, request);
  await rotateSecret(directory, appId, oldExpiresInMs);
  const [oldest] = (await applications.findApplication(appId))?.secrets ?? [];
  assert(oldest);
  await applications.recordSecretsUsed(new Map([[oldest.id, Date.now() - usedMsAgo]]));
  await directory.database.bookkeeping.flush();
  return appId;
}

const [minuteMs, hourMs] = [60_000, 3_600_000];

test('a second rotation does not end a secret in use, unless the operator says so', async () => {
  const appId = await rotatedOnce(59 * minuteMs);
  const before = await applications.findApplication(appId);
  const [oldest] = before?.secrets ?? [];
  await assert.rejects(rotateSecret(directory, appId, hourMs), (error: Error) => {
    assert.equal(error.name, 'AdminError');
    const created = new Date(oldest?.createdAtMs ?? 0).toISOString();
    assert(error.message.startsWith(`the application ${appId} has two secrets, and another one would end`));
    assert(
      error.message.includes(`the older one, of ${created}, at once, which was used at 2`),
      error.message,
    );
    assert.match(error.message, /or end it with --end-oldest$/);
    return true;
  });
  assert.deepEqual(await applications.findApplication(appId), before);
  const rotated = await rotateSecret(directory, appId, hourMs, { endOldest: true });
  assert.deepEqual(rotated.ended, [oldest]);
  assert.equal((await secretsOf(appId)).length, 2);
});

for (const [label, usedMsAgo, oldExpiresInMs, nextMs, ends] of [
  ['was used more than an hour ago', hourMs + 1000, 24 * hourMs, hourMs, 1],
  ['ends within the hour', 0, hourMs - 1, hourMs, 1],
  ['may have leaked, like every other one', 0, 24 * hourMs, 0, 1],
  ['has ended', 0, 0, hourMs, 0],
] as const)
  test(`a second rotation goes on when the oldest secret ${label}`, async () => {
    const appId = await rotatedOnce(usedMsAgo, oldExpiresInMs);
    const { ended } = await rotateSecret(directory, appId, nextMs);
    assert.equal(ended.length, ends);
  });

test('a revocation holds, may be repeated, and allows no rotation', async () => {
  const { appId } = await issueApplication(directory, request);
  await revokeApplication(directory, appId);
  await revokeApplication(directory, appId);
  assert.equal((await applications.findApplication(appId))?.status, 'revoked');
  await assert.rejects(rotateSecret(directory, appId, 0), /AdminError: .*is revoked; issue a new one/);
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
