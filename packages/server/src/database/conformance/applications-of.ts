import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Subject } from './subject.ts';

/** Returns the calls of tests to the applications and tenants of a subject. */
export function applicationsOf(subject: Subject) {
  const applications = () => subject.under.database.applications;
  const tenants = () => subject.under.database.tenants;
  const sealed = () => Uint8Array.from(randomBytes(40));
  return {
    applications,
    tenants,
    sealed,
    async newApplication(tenantId: bigint) {
      const application = {
        appId: randomUUID(),
        tenantId,
        name: 'N',
        scope: 'write' as const,
        sealed: sealed(),
      };
      assert.equal(await applications().insertApplication(application), true);
      return application;
    },
    async secretsOf(appId: string) {
      const secrets = (await applications().findApplication(appId))?.secrets ?? [];
      return secrets.map(({ id: _, ...secret }) => ({ ...secret, sealed: Uint8Array.from(secret.sealed) }));
    },
  };
}
