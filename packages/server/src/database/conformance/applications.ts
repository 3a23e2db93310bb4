import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { applicationsOf } from './applications-of.ts';
import { auditRows, int64Max, newTenant, type Subject } from './subject.ts';

export function testApplications(subject: Subject): void {
  const { applications, tenants, sealed, newApplication, secretsOf } = applicationsOf(subject);

  test('an application is found and listed with its tenant and its first secret', async () => {
    const tenantId = await newTenant(subject);
    const { appId, name, scope, sealed } = await newApplication(tenantId);
    const found = await applications().findApplication(appId);
    const { secrets: _, tenantName, ...rest } = found ?? { secrets: [], tenantName: '' };
    const createdAtMs = subject.clock.nowMs;
    assert.deepEqual(rest, {
      appId,
      tenantId,
      name,
      scope,
      status: 'active',
      createdAtMs,
      allowedAddresses: [],
    });
    assert.equal((await tenants().findTenant(tenantName))?.id, tenantId);
    assert.deepEqual(await secretsOf(appId), [{ sealed, createdAtMs }]);
    const listed = await applications().listApplications();
    assert.deepEqual(
      listed.find((application) => application.appId === appId),
      found,
    );
    assert.equal(await applications().findApplication('unknown'), undefined);
  });

  test('secrets that are added at once leave two: the newest, and one that expires', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const end = subject.clock.nowMs + 60_000;
    const added = Array.from({ length: 8 }, () =>
      applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: end }),
    );
    const ended = (await Promise.all(added)).flatMap((ids) => ids ?? assert.fail('the application is live'));
    assert.equal(new Set(ended).size, 7, 'each but the first ended one secret, and no two the same');
    assert.deepEqual(
      (await secretsOf(appId)).map(({ expiresAtMs }) => expiresAtMs),
      [end, undefined],
    );
  });

  test('an APPID is unique over all tenants, and a second application with it changes nothing', async () => {
    const first = await newApplication(await newTenant(subject));
    const tenantId = await newTenant(subject);
    const before = [await applications().revision(), await applications().findApplication(first.appId)];
    const second = { ...first, tenantId, name: 'Second', sealed: sealed() };
    assert.equal(await applications().insertApplication(second), false);
    assert.deepEqual(
      [await applications().revision(), await applications().findApplication(first.appId)],
      before,
    );
  });

  test('a rotation sets an expiry of the old secret; both are listed, the older one first', async () => {
    const { appId, sealed: first } = await newApplication(await newTenant(subject));
    const createdAtMs = subject.clock.nowMs;
    const second = sealed();
    await applications().addSecret(appId, { sealed: second, oldExpiresAtMs: createdAtMs + 5000 });
    assert.deepEqual(await secretsOf(appId), [
      { sealed: first, createdAtMs, expiresAtMs: createdAtMs + 5000 },
      { sealed: second, createdAtMs },
    ]);
  });

  test('after many rotations, an application has only the two newest secrets', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const added = [sealed(), sealed(), sealed()];
    for (const each of added)
      await applications().addSecret(appId, { sealed: each, oldExpiresAtMs: subject.clock.nowMs + 5000 });
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => secret.sealed),
      added.slice(1),
    );
  });

  test('a rotation that replaces the newest secret leaves the one before it, with its end', async () => {
    const tenant = await newTenant(subject);
    const { appId, sealed: first } = await newApplication(tenant);
    const end = subject.clock.nowMs + 5000;
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: end });
    const lost = await applications().findApplication(appId);
    const replacing = sealed();
    const rotation = { sealed: replacing, oldExpiresAtMs: end + 5000, replaceNewest: true };
    assert.deepEqual(await applications().addSecret(appId, rotation), [lost?.secrets[1]?.id]);
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => [secret.sealed, secret.expiresAtMs]),
      [
        [first, end],
        [replacing, undefined],
      ],
    );
    const rotations = (await auditRows(subject, tenant)).filter(
      ({ operation }) => operation === 'app rotate',
    );
    const changes = { app_id: appId, old_secret_expires_at: new Date(end).toISOString() };
    assert.deepEqual(
      rotations.map((row) => JSON.parse(row.changes)),
      [changes, { ...changes, replaced_newest: true }],
    );
  });

  test('a rotation that would replace the only secret lets it expire instead', async () => {
    const { appId, sealed: first } = await newApplication(await newTenant(subject));
    const end = subject.clock.nowMs + 5000;
    const second = sealed();
    const rotation = { sealed: second, oldExpiresAtMs: end, replaceNewest: true };
    assert.deepEqual(await applications().addSecret(appId, rotation), []);
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => [secret.sealed, secret.expiresAtMs]),
      [
        [first, end],
        [second, undefined],
      ],
    );
  });

  test('a rotation removes an expired secret', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const { clock } = subject;
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: clock.nowMs });
    const [second, third] = [(await secretsOf(appId)).at(-1)?.sealed, sealed()];
    clock.nowMs += 1;
    await applications().addSecret(appId, { sealed: third, oldExpiresAtMs: clock.nowMs + 5000 });
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => secret.sealed),
      [second, third],
    );
    clock.nowMs -= 1;
  });

  test('a secret for an application that does not exist is refused', async () => {
    assert.equal(
      await applications().addSecret('unknown', { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs }),
      undefined,
    );
    assert.equal(await applications().findApplication('unknown'), undefined);
  });

  test('an application is revoked once and stays known', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    assert.equal(await applications().revokeApplication(appId), true);
    assert.equal(await applications().revokeApplication(appId), false);
    assert.equal(await applications().revokeApplication('unknown'), false);
    assert.equal((await applications().findApplication(appId))?.status, 'revoked');
  });

  test('an update changes only what it names, and clears what is null or empty', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const before = await applications().findApplication(appId);
    const changes = {
      scope: 'read',
      rateLimit: 5,
      allowedAddresses: ['10.0.0.0/8', '2001:db8::1'],
      expiresAtMs: 2 ** 42,
    } as const;
    assert.deepEqual(await applications().updateApplication(appId, changes), { ...before, ...changes });
    const suspended = { ...before, ...changes, status: 'suspended' };
    assert.deepEqual(await applications().updateApplication(appId, { status: 'suspended' }), suspended);
    assert.deepEqual(await applications().findApplication(appId), suspended);
    const back = { status: 'active', scope: 'write', allowedAddresses: [] } as const;
    const cleared = { ...back, rateLimit: null, expiresAtMs: null };
    assert.deepEqual(await applications().updateApplication(appId, cleared), before);
  });

  test('an update of an unknown or revoked application changes nothing', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    assert.equal(await applications().updateApplication('unknown', { scope: 'read' }), undefined);
    await applications().updateApplication(appId, { status: 'suspended' });
    assert.equal(await applications().revokeApplication(appId), true, 'a suspended one can be revoked');
    assert.equal(await applications().updateApplication(appId, { status: 'active' }), undefined);
    assert.equal((await applications().findApplication(appId))?.status, 'revoked');
  });

  test('an update is audited with old and new values and its actor, and raises the revision', async () => {
    const tenant = await newTenant(subject);
    const { appId } = await newApplication(tenant);
    const actor = { kind: 'command', user: 'ann', host: 'shop' } as const;
    const revision = await applications().revision();
    const changes = { scope: 'read', allowedAddresses: ['::1'], rateLimit: 0, expiresAtMs: 0 } as const;
    await applications().updateApplication(appId, changes, { actor });
    assert.ok((await applications().revision()) > revision);
    const row = (await auditRows(subject, tenant)).at(-1);
    assert.deepEqual([row?.operation, JSON.parse(row?.actor ?? '')], ['app update', actor]);
    assert.deepEqual(JSON.parse(row?.changes ?? ''), {
      app_id: appId,
      scope: { from: 'write', to: 'read' },
      rate_limit: { from: null, to: 0 },
      allowed_addresses: { from: [], to: ['::1'] },
      expires_at: { from: null, to: '1970-01-01T00:00:00.000Z' },
    });
  });

  test('an update to the same values leaves no audit row and raises no revision', async () => {
    const tenant = await newTenant(subject);
    const { appId } = await newApplication(tenant);
    const before = [await applications().revision(), (await auditRows(subject, tenant)).length];
    await applications().updateApplication(appId, { scope: 'write', allowedAddresses: [], rateLimit: null });
    assert.deepEqual([await applications().revision(), (await auditRows(subject, tenant)).length], before);
  });

  test('every change of credentials and tenants carries its actor', async () => {
    const actor = { kind: 'operator', id: 'op-1' } as const;
    const tenant = await tenants().insertTenant(`audited ${randomUUID()}`, { actor });
    const [tenantId, appId] = [tenant?.id ?? 0n, randomUUID()];
    const fresh = { appId, tenantId, name: 'N', scope: 'write' as const, sealed: sealed() };
    await applications().insertApplication(fresh, { actor });
    await applications().addSecret(
      appId,
      { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs + 5000 },
      { actor },
    );
    await applications().revokeApplication(appId, { actor });
    const rows = await auditRows(subject, tenantId);
    assert.equal(rows.length, 4);
    for (const row of rows) assert.deepEqual(JSON.parse(row.actor ?? ''), actor, row.operation);
    const listed = await subject.under.database
      .directory(tenantId)
      .lists.listAuditEvents({ filters: {}, after: undefined, limit: 10 });
    assert.deepEqual(
      listed.entries.map((entry) => entry.actor),
      [actor, actor, actor, actor],
    );
  });

  test('the revision grows with an application, a rotation and a revocation, for every process', async () => {
    const tenantId = await newTenant(subject);
    const other = subject.under.second;
    const revisions = [await other.applications.revision()];
    const { appId } = await newApplication(tenantId);
    revisions.push(await other.applications.revision());
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs + 5000 });
    revisions.push(await other.applications.revision());
    await applications().revokeApplication(appId);
    revisions.push(await other.applications.revision());
    assert.deepEqual(
      revisions,
      [...new Set(revisions)].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  test('the last use is recorded for each secret separately', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs + 5000 });
    const [first] = (await applications().findApplication(appId))?.secrets ?? [];
    await applications().recordSecretsUsed(
      new Map([
        [first?.id ?? 0n, 1234],
        [int64Max, 5678],
      ]),
    );
    await applications().recordSecretsUsed(new Map());
    // A late report by another process.
    await applications().recordSecretsUsed(new Map([[first?.id ?? 0n, 1233]]));
    await subject.under.database.bookkeeping.flush();
    const used = (await secretsOf(appId)).map((secret) => secret.lastUsedAtMs);
    assert.deepEqual(used, [1234, undefined]);
    const updated = await applications().updateApplication(appId, { scope: 'read' });
    assert.deepEqual(
      updated?.secrets.map((secret) => secret.lastUsedAtMs),
      [1234, undefined],
    );
  });

  test('a use that a clock dated far ahead is replaced by the next one after the clock was set back', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const [secret] = (await applications().findApplication(appId))?.secrets ?? [];
    const id = secret?.id ?? 0n;
    const { bookkeeping } = subject.under.database;
    const usedAt = 1_000_000_000;
    for (const [recordedMs, expectedMs] of [
      [usedAt + 3_600_002, usedAt + 3_600_002],
      [usedAt + 2, usedAt + 3_600_002],
      [usedAt + 1, usedAt + 1],
    ] as const) {
      await applications().recordSecretsUsed(new Map([[id, recordedMs]]));
      await bookkeeping.flush();
      assert.equal((await secretsOf(appId))[0]?.lastUsedAtMs, expectedMs);
    }
  });

  test('each change of an application leaves an audit row in its tenant, without the secret', async () => {
    const tenant = await newTenant(subject);
    const { appId } = await newApplication(tenant);
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs + 5000 });
    await applications().revokeApplication(appId);
    const rows = await auditRows(subject, tenant);
    assert.deepEqual(
      rows.map((row) => [row.operation, row.app_id, JSON.parse(row.changes)]),
      [
        ['tenant create', null, { name: JSON.parse(rows[0]?.changes ?? '').name }],
        ['app create', null, { app_id: appId, name: 'N', scope: 'write' }],
        [
          'app rotate',
          null,
          {
            app_id: appId,
            old_secret_expires_at: new Date(subject.clock.nowMs + 5000).toISOString(),
          },
        ],
        ['app revoke', null, { app_id: appId }],
      ],
    );
  });
}
