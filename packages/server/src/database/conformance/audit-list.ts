import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyExactJson } from '../../json/exact-json.ts';
import type { Actor, AuditEntry, AuditFilters, ListPosition } from '../database.ts';
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
  testMentionsInLargeChanges(subject);
  testLargeChanges(subject);
  testNames(subject);
  testDeletions(subject);
}

function testDeletions(subject: Subject): void {
  const note = (tenantId: bigint, userId: bigint, operation: string) =>
    subject.under.database.write(tenantId, undefined, async () => ({
      result: undefined,
      audit: { appId: 'app', operation, userId, changes: { of: operation } },
    }));
  const deletionsOf = async (tenantId: bigint, userIds: readonly bigint[]) => {
    const found = await subject.under.database.directory(tenantId).lists.listDeletions(userIds);
    return found.map(({ userId, changes }) => [userId, changes]);
  };

  test('deletions are found by the users, whatever else is on record of them, and never another tenant’s', async () => {
    const [tenant, foreign] = [await newTenantWithTree(subject), await newTenantWithTree(subject)];
    for (const operation of ['create-user', 'delete-user', 'user erase'])
      await note(tenant, int64Max, operation);
    await note(tenant, 7n, 'update-user');
    await note(foreign, 8n, 'delete-user');
    assert.deepEqual(await deletionsOf(tenant, [7n, 8n, int64Max]), [[int64Max, { of: 'delete-user' }]]);
    assert.deepEqual(await deletionsOf(tenant, []), []);
  });

  test('a deletion is sought among the hundred newest rows of its user', async () => {
    const tenant = await newTenantWithTree(subject);
    for (const userId of [7n, 8n]) await note(tenant, userId, 'delete-user');
    for (let row = 0; row < 99; row++)
      for (const userId of [7n, 8n]) await note(tenant, userId, 'user erase');
    await note(tenant, 8n, 'user erase');
    assert.deepEqual(await deletionsOf(tenant, [7n, 8n]), [[7n, { of: 'delete-user' }]]);
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

const mebibyte = 1024 * 1024;

function testMentionsInLargeChanges(subject: Subject): void {
  test('a page that searches for a text ends before it has read all of many large changes', async () => {
    const tenant = await newTenantWithTree(subject);
    const note = (texts: readonly string[], index: number, code: string) =>
      recordChanges(subject, tenant, { changes: { texts, index, code } });
    const texts = textsOf(1.9 * mebibyte);
    await note([], 0, 'N-1');
    for (let index = 1; index <= 20; index += 1) await note(texts, index, index === 4 ? 'N-1' : 'N-2');
    await note([], 21, 'N-1');
    const { lists } = subject.under.database.directory(tenant);
    const pagesOf = async (limit: number) => {
      const pages: unknown[][] = [];
      let after: ListPosition | undefined;
      do {
        const page = await lists.listAuditEvents({ filters: { mentioned: 'N-1' }, limit, after });
        pages.push(page.entries.map(({ changes }) => changes.index));
        after = page.next;
      } while (after !== undefined);
      return pages;
    };
    assert.deepEqual(await pagesOf(10), [[21], [4, 0]]);
    for (const limit of [1, 2, 5]) assert.deepEqual((await pagesOf(limit)).flat(), [21, 4, 0]);
  });
}

function testLargeChanges(subject: Subject): void {
  test('a page of audit rows ends before its changes exceed 4 MiB, but never without a row', async () => {
    const tenant = await newTenantWithTree(subject);
    const sizes = [5, 1.9, 1.9, 0, 0, 1.9, 9, 0];
    for (const [index, size] of sizes.entries())
      await recordChanges(subject, tenant, {
        // Integers and digits that a number would round.
        changes: { index, id: int64Max, texts: textsOf(size * mebibyte) },
        userId: BigInt(index),
      });
    const { lists } = subject.under.database.directory(tenant);
    const pages: { readonly indexes: unknown[]; readonly bytes: number }[] = [];
    let after: ListPosition | undefined;
    do {
      const page = await lists.listAuditEvents({ filters: { appId: 'app' }, limit: 6, after });
      for (const { changes } of page.entries) assertWhole(changes, sizes);
      pages.push({ indexes: page.entries.map(({ changes }) => changes.index), bytes: page.bytes });
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(
      pages.map(({ indexes }) => indexes),
      [[7], [6], [5, 4, 3, 2], [1], [0]],
    );
    for (const { indexes, bytes } of pages) {
      const listed = indexes.reduce<number>((sum, index) => sum + (sizes[Number(index)] ?? 0) * mebibyte, 0);
      assert.ok(bytes > listed && bytes < listed + mebibyte, `${bytes} bytes`);
    }
  });

  test('long lists of changed texts come back as they were written, with who changed them', async () => {
    const tenant = await newTenantWithTree(subject);
    const codes = Array.from({ length: 20_000 }, (_, index) => `店"🦜${index}`);
    const changes = { id: int64Max, stores: { added: codes, removed: codes.toReversed() } };
    const actor: Actor = { kind: 'operator', id: '1' };
    const few = {
      appId: 'app',
      operation: 'few',
      userId: 1n,
      changes: { stores: { added: codes.slice(0, 2) } },
    };
    const many = { appId: 'app', operation: 'many', requestId: 'r', userId: 2n, changes, actor };
    await subject.under.database.write(tenant, undefined, async () => ({
      result: undefined,
      audit: { ...many, operation: 'first' },
      more: [few, many],
    }));
    const entries = await listAudit(subject, tenant, {}, 9);
    const listed = entries.map(({ id: _id, atMs: _atMs, ...entry }) => entry);
    const byOperation = Map.groupBy(listed, ({ operation }) => operation);
    assert.deepEqual(byOperation.get('few'), [few]);
    for (const operation of ['first', 'many']) {
      const [{ changes: read, ...who } = assert.fail(operation)] = byOperation.get(operation) ?? [];
      assert.deepEqual(who, { appId: 'app', operation, requestId: 'r', userId: 2n, actor });
      assert.ok(JSON.stringify(read) === stringifyExactJson(changes), operation);
    }
  });

  test('the changes of an operator are found, all of them or those of one change', async () => {
    const tenant = await newTenantWithTree(subject);
    const made: [string, Actor][] = [
      ['one', { kind: 'operator', id: '1', changeId: 'a' }],
      ['none', { kind: 'operator', id: '1' }],
      ['other', { kind: 'operator', id: '1', changeId: 'b' }],
      ['ten', { kind: 'operator', id: '10', changeId: 'a' }],
    ];
    for (const [operation, actor] of made)
      await subject.under.database.write(tenant, undefined, async () => ({
        result: undefined,
        audit: { appId: 'app', operation, changes: {}, actor },
      }));
    const found = async (filters: AuditFilters) =>
      (await listAudit(subject, tenant, filters, 9)).map(({ operation }) => operation).toSorted();
    assert.deepEqual(await found({ operatorId: 1n }), ['none', 'one', 'other']);
    assert.deepEqual(await found({ operatorId: 1n, changeId: 'a' }), ['one']);
    assert.deepEqual(await found({ operatorId: 10n }), ['ten']);
    assert.deepEqual(await found({ operatorId: 2n, changeId: 'a' }), []);
  });

  test('large deletions are left out of those found, but not the smaller ones', async () => {
    const tenant = await newTenantWithTree(subject);
    for (const [index, size] of [3, 0, 5, 0].entries())
      await recordChanges(subject, tenant, {
        changes: { index, texts: textsOf(size * mebibyte) },
        operation: 'delete-user',
        userId: BigInt(index),
      });
    const { lists } = subject.under.database.directory(tenant);
    const found = await lists.listDeletions([0n, 1n, 2n, 3n]);
    assert.deepEqual(found.map(({ userId }) => userId).sort(), [0n, 1n, 3n]);
    const [alone] = await lists.listDeletions([2n]);
    assert.equal(alone?.userId, 2n);
  });
}

/** Returns texts of that many characters in all, longer than what is parsed at once. */
function textsOf(characters: number): string[] {
  const text = '0123456789'.repeat(10);
  return Array.from({ length: Math.round(characters / text.length) }, () => text);
}

function assertWhole(changes: AuditEntry['changes'], sizes: readonly number[]): void {
  const texts = textsOf((sizes[Number(changes.index)] ?? 0) * mebibyte);
  const expected = `{"index":${changes.index},"id":${int64Max},"texts":${JSON.stringify(texts)}}`;
  assert.ok(JSON.stringify(changes) === expected, `row ${changes.index} comes back as it was written`);
}

function recordChanges(
  { under }: Subject,
  tenantId: bigint,
  audit: Pick<AuditEntry, 'changes' | 'userId'> & { readonly operation?: string },
): Promise<void> {
  return under.database.write(tenantId, undefined, async () => ({
    result: undefined,
    audit: { appId: 'app', operation: 'batch-update-user-stores', ...audit },
  }));
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
