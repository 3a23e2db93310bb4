import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testApplicationSecrets } from './application-secrets.ts';
import { testApplications } from './applications.ts';
import { testAuditAgainstTables } from './audit-against-tables.ts';
import { testBindingTargets } from './binding-targets.ts';
import { testBindings } from './bindings.ts';
import { testClaimedApplicationChanges } from './claimed-application-changes.ts';
import { testClaims } from './claims.ts';
import { testConcurrency } from './concurrency.ts';
import { testDataVersion } from './data-version.ts';
import { testLists } from './lists.ts';
import { testOperatorLinks } from './operator-links.ts';
import { testPasswordFailures } from './password-failures.ts';
import { testStoredSettings } from './stored-settings.ts';
import type { DatabaseUnderTest, Subject } from './subject.ts';
import { testTenantIsolation } from './tenant-isolation.ts';
import { testTenants } from './tenants.ts';
import { testTransactions } from './transactions.ts';
import { testUserManagement } from './user-management.ts';
import { testUsers } from './users.ts';

const startMs = Date.UTC(2026, 0, 15, 12);

/**
 * Tests everything that `database.ts` promises, on one engine. Every test uses its own tenant.
 *
 * @param engine name of the engine, for the report
 * @param open opens a database whose clock is `now`
 */
export function testDatabase(engine: string, open: (now: () => number) => Promise<DatabaseUnderTest>): void {
  describe(`the ${engine} database`, () => {
    const clock = { nowMs: startMs };
    const opened: DatabaseUnderTest[] = [];
    before(async () => {
      opened.push(await open(() => clock.nowMs));
    });
    after(() => Promise.all(opened.map((each) => each.close())));
    const subject: Subject = {
      get under() {
        const [under] = opened;
        assert(under !== undefined, 'the database is open');
        return under;
      },
      clock,
    };
    testUsers(subject);
    testBindings(subject);
    testTenantIsolation(subject);
    testTransactions(subject);
    testClaims(subject);
    testConcurrency(subject);
    testAuditAgainstTables(subject);
    testApplications(subject);
    testApplicationSecrets(subject);
    testTenants(subject);
    testClaimedApplicationChanges(subject);
    testStoredSettings(subject);
    testDataVersion(subject);
    testLists(subject);
    testBindingTargets(subject);
    testUserManagement(subject);
    testPasswordFailures(subject);
    testOperatorLinks(subject);
    test('a closed database rejects the ping, an open one answers it', async () => {
      const other = await open(() => clock.nowMs);
      await other.database.ping();
      await other.close();
      await assert.rejects(other.database.ping());
    });
  });
}
