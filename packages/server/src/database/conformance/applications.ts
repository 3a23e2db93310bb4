import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { applicationsOf } from './applications-of.ts';
import { auditRows, newTenant, type Subject } from './subject.ts';

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
