import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type AcceptanceClaim, AlreadyAcceptedError } from '../database.ts';
import { applicationsOf } from './applications-of.ts';
import { auditRows, newTenant, type Subject } from './subject.ts';

export function testClaimedApplicationChanges(subject: Subject): void {
  const { applications, tenants, sealed, newApplication, secretsOf } = applicationsOf(subject);

  const newClaim = (): AcceptanceClaim => ({
    signature: randomBytes(32),
    requestId: randomUUID(),
    expiresAtSeconds: Math.floor(subject.clock.nowMs / 1000) + 300,
  });

  test('a change that was refused leaves no claim, so that its retry is refused too', async () => {
    const tenantId = await newTenant(subject);
    const { appId } = await newApplication(tenantId);
    const other = { appId, tenantId, name: 'Other', scope: 'read' as const, sealed: sealed() };
    const { name = '' } = (await tenants().listTenants()).find(({ id }) => id === tenantId) ?? {};
    assert.equal(await applications().revokeApplication(appId), true);
    const refused: Record<string, (claim: AcceptanceClaim) => Promise<boolean | object | undefined>> = {
      'a tenant whose name is taken': (claim) => tenants().insertTenant(name, { claim }),
      'an APPID that is taken': (claim) => applications().insertApplication(other, { claim }),
      'a change of a revoked application': (claim) =>
        applications().updateApplication(appId, { scope: 'read' }, { claim }),
      'a secret for a revoked application': (claim) =>
        applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs }, { claim }),
      'a second revocation': (claim) => applications().revokeApplication(appId, { claim }),
    };
    const rows = (await auditRows(subject, tenantId)).length;
    for (const [what, attempt] of Object.entries(refused)) {
      const claim = newClaim();
      for (let time = 1; time <= 2; time++) assert(!(await attempt(claim)), `${what}, time ${time}`);
    }
    assert.equal((await auditRows(subject, tenantId)).length, rows);
    assert.equal((await secretsOf(appId)).length, 1);
  });

  test('a claimed change leaves an audit row even if it changes no value', async () => {
    const tenantId = await newTenant(subject);
    const { appId } = await newApplication(tenantId);
    const rows = (await auditRows(subject, tenantId)).length;
    const claim = newClaim();
    assert(await applications().updateApplication(appId, { status: 'active' }, { claim }));
    assert.equal((await auditRows(subject, tenantId)).length, rows + 1);
    await assert.rejects(applications().updateApplication(appId, {}, { claim }), AlreadyAcceptedError);
  });
}
