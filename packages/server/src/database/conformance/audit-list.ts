import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditFilters } from '../database.ts';
import { joinPages, newTenantWithTree } from './listed-tenant.ts';
import { save } from './saved-users.ts';
import { everyField, int64Max, type Subject, writeTo } from './subject.ts';

export function testAuditList(subject: Subject): void {
  test('audit rows are listed newest first, by every filter, page by page, and never another tenant’s', async () => {
    const [tenant, foreign] = [await newTenantWithTree(subject), await newTenantWithTree(subject)];
    const startMs = subject.clock.nowMs;
    for (let index = 0; index < 24; index++) {
      subject.clock.nowMs = startMs + Math.floor(index / 3);
      await record(subject, index % 5 === 0 ? foreign : tenant, index);
    }
    const listed = (filters: AuditFilters, limit: number) => listAudit(subject, tenant, filters, limit);
    const all = await listed({}, 100);
    assert.deepEqual(
      all.map(({ changes }) => changes),
      mine().map((index) => ({ index })),
    );
    for (const limit of [1, 2, 5, 19]) assert.deepEqual(await listed({}, limit), all);
    const at = (moment: number) => BigInt(startMs + moment);
    const cases: readonly (readonly [AuditFilters, (index: number) => boolean])[] = [
      [{ userId: 1n }, (index) => index % 3 === 1],
      [{ appId: 'app-1' }, (index) => index % 2 === 1],
      [{ operation: 'operation-2' }, (index) => index % 4 === 2],
      [{ sinceMs: at(3) }, (index) => Math.floor(index / 3) >= 3],
      [{ untilMs: at(3) }, (index) => Math.floor(index / 3) < 3],
      [
        { userId: 1n, appId: 'app-1', sinceMs: at(1), untilMs: at(6) },
        (index) => index % 6 === 1 && index >= 3 && index < 18,
      ],
      [{ appId: 'nobody' }, () => false],
    ];
    for (const [filters, passes] of cases) {
      const expected = mine()
        .filter(passes)
        .map((index) => ({ index }));
      for (const limit of [1, 4])
        assert.deepEqual(
          (await listed(filters, limit)).map(({ changes }) => changes),
          expected,
        );
    }
    subject.clock.nowMs = startMs;
  });
  testMentions(subject);
  testNames(subject);
  testDeletions(subject);
}

function testDeletions(subject: Subject): void {
  test('deletions are found by the users, whatever else is on record of them, and never another tenant’s', async () => {
    const [tenant, foreign] = [await newTenantWithTree(subject), await newTenantWithTree(subject)];
    const { database } = subject.under;
    const note = (tenantId: bigint, userId: bigint, operation: string) =>
      database.write(tenantId, undefined, async () => ({
        result: undefined,
        audit: { appId: 'app', operation, userId, changes: { of: operation } },
      }));
    for (const operation of ['create-user', 'delete-user', 'user erase'])
      await note(tenant, int64Max, operation);
    await note(tenant, 7n, 'update-user');
    await note(foreign, 8n, 'delete-user');
    const found = await database.directory(tenant).lists.listDeletions([7n, 8n, int64Max]);
    assert.deepEqual(
      found.map(({ userId, changes }) => [userId, changes]),
      [[int64Max, { of: 'delete-user' }]],
    );
    assert.deepEqual(await database.directory(tenant).lists.listDeletions([]), []);
  });
}

function testMentions(subject: Subject): void {
  test('audit rows that mention a text are found by exactly that text, of any length', async () => {
    const tenant = await newTenantWithTree(subject);
    const texts = ['N-1', 'n-1', 'N_1', '100%', 'it\'s "quoted" \\ 门店', 'x'.repeat(100_000)];
    for (const code of texts)
      await subject.under.database.write(tenant, undefined, async () => ({
        result: undefined,
        audit: { appId: 'app', operation: 'create-store', changes: { code } },
      }));
    for (const mentioned of texts) {
      const found = await listAudit(subject, tenant, { mentioned }, 100);
      assert.deepEqual(
        found.map(({ changes }) => changes),
        [{ code: mentioned }],
      );
    }
    assert.deepEqual(await listAudit(subject, tenant, { mentioned: 'y'.repeat(100_000) }, 100), []);
  });
}

function testNames(subject: Subject): void {
  test('users are named by their ids, without those that do not exist or belong to another tenant', async () => {
    const [tenant, foreign] = [await newTenantWithTree(subject), await newTenantWithTree(subject)];
    const { database } = subject.under;
    const create = async (tenantId: bigint, username: string) => {
      const user = save(username, { fields: everyField });
      const ids = await writeTo(database, tenantId, ({ users }) => users.saveUsers([user]));
      return ids.get(username) ?? 0n;
    };
    const [own, other] = [await create(tenant, 'own'), await create(foreign, 'other')];
    const named = await database.directory(tenant).lists.nameUsers([own, other, int64Max]);
    assert.deepEqual([...named], [[own, { username: 'own', realName: everyField.realName }]]);
    assert.equal((await database.directory(tenant).lists.nameUsers([])).size, 0);
  });
}

/** Returns the row numbers of the first tenant, newest first. */
function mine(): number[] {
  return Array.from({ length: 24 }, (_, index) => 23 - index).filter((index) => index % 5 !== 0);
}

function record({ under }: Subject, tenantId: bigint, index: number): Promise<void> {
  return under.database.write(tenantId, undefined, async () => ({
    result: undefined,
    audit: {
      appId: `app-${index % 2}`,
      operation: `operation-${index % 4}`,
      userId: BigInt(index % 3),
      changes: { index },
    },
  }));
}

async function listAudit({ under }: Subject, tenantId: bigint, filters: AuditFilters, limit: number) {
  const { lists } = under.database.directory(tenantId);
  const entries = await joinPages(limit, (after) => lists.listAuditEvents({ filters, limit, after }), true);
  // The creation of the tenant is also a row.
  return entries.filter(({ appId }) => appId !== undefined);
}
