import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedUser, ListPosition, Page } from '../database.ts';
import { testAuditList } from './audit-list.ts';
import { list, listAll, newTenantWithTree, newUsers } from './listed-tenant.ts';
import { testListsAgainstModel } from './lists-against-model.ts';
import { testListsDuringChanges, testListsShowMatches } from './lists-during-changes.ts';
import { plantUsers } from './plant-users.ts';
import { type Subject, write } from './subject.ts';
import { testUnboundLists } from './unbound-lists.ts';

/** Tests lists on any engine. */
export function testLists(subject: Subject): void {
  testListsAgainstModel(subject);
  testListsDuringChanges(subject);
  testListsShowMatches(subject);
  testOrgs(subject);
  testStoreCounts(subject);
  testChanges(subject);
  testBounds(subject);
  testUnboundLists(subject);
  testAuditList(subject);
}

function testOrgs(subject: Subject): void {
  test('the users of a tree are listed by id, however unevenly they are distributed', async () => {
    const tenant = await newTenantWithTree(subject);
    const ids = await newUsers(subject, tenant, Array(40).fill('Spread'));
    const orgOf = (index: number) => (index % 13 === 12 ? 2n : index % 7 === 6 ? 4n : 3n);
    await write(subject, tenant, async (directory) => {
      for (const [index, id] of ids.entries()) await directory.replaceUserOrg(id, orgOf(index));
    });
    for (const limit of [1, 5, 9, 12, 39, 40]) {
      const filters = { org: { id: 1n, includeChildren: true } };
      const found = await listAll(subject, tenant, { filters, order: 'id', limit }, true);
      assert.deepEqual(idsOf({ entries: found }), ids, `limit ${limit}`);
    }
  });

  test('the users of a tree of very many organizations are listed like those of a small one, at any depth', async () => {
    const tenant = await newTenantWithTree(subject);
    // 10,000 stands above a wide level and above a chain of 100; 2 to 4 stand outside.
    const wide = Array.from({ length: 2_500 }, (_, index) => ({
      id: 20_000n + BigInt(index),
      parent_id: 10_000n,
    }));
    const chain = Array.from({ length: 100 }, (_, index) => ({
      id: 30_000n + BigInt(index),
      parent_id: index === 0 ? 10_000n : 29_999n + BigInt(index),
    }));
    const outside = Array.from({ length: 100 }, (_, index) => ({
      id: 40_000n + BigInt(index),
      parent_id: index === 0 ? 4n : 39_999n + BigInt(index),
    }));
    const rows = [{ id: 10_000n, parent_id: 5n }, ...wide, ...chain, ...outside];
    await subject.under.db
      .insertInto('org')
      .values(rows.map((row) => ({ tenant_id: tenant, name: '', ...row })))
      .execute();
    const inside = [10_000n, 20_000n, 22_499n, 30_000n, 30_062n, 30_063n, 30_064n, 30_099n];
    const orgs = [...inside, 1n, 3n, 5n, 40_000n, 40_061n, 40_062n, 40_099n];
    const ids = await newUsers(subject, tenant, Array(60).fill('Spread'));
    const orgOf = (index: number) => orgs[index % orgs.length] ?? 0n;
    await write(subject, tenant, async (directory) => {
      for (const [index, id] of ids.entries()) await directory.replaceUserOrg(id, orgOf(index));
    });
    const within = new Set(inside);
    const expected = ids.filter((_, index) => within.has(orgOf(index)));
    for (const limit of [1, 7, 500]) {
      const filters = { org: { id: 10_000n, includeChildren: true } };
      const found = await listAll(subject, tenant, { filters, order: 'id', limit }, true);
      assert.deepEqual(idsOf({ entries: found }), expected, `limit ${limit}`);
      const changed = await listAll(subject, tenant, { filters, order: 'change', limit }, true);
      assert.deepEqual(idsOf({ entries: changed }), expected, `by change, limit ${limit}`);
    }
  });
}

function testStoreCounts(subject: Subject): void {
  test('the stores of listed users are counted, each up to a bound', async () => {
    const [tenant, foreign] = [await newTenantWithTree(subject), await newTenantWithTree(subject)];
    const [none = 0n, one = 0n, all = 0n] = await newUsers(subject, tenant, ['None', 'One', 'All']);
    await write(subject, tenant, async (directory) => {
      await directory.replaceUserStores(one, ['B']);
      await directory.replaceUserStores(all, ['A', 'B', 'C']);
    });
    const countedIn = (tenantId: bigint, ids: readonly bigint[], most: number) =>
      subject.under.database.directory(tenantId).lists.countStoresOf(ids, most);
    const both = [
      [one, 1],
      [all, 3],
    ] as const;
    assert.deepEqual(await countedIn(tenant, [all, none, one], 3), new Map(both));
    assert.deepEqual(await countedIn(tenant, [all], 1), new Map([[all, 2]]));
    assert.deepEqual(await countedIn(tenant, [], 3), new Map());
    assert.deepEqual(await countedIn(foreign, [one, all], 3), new Map());
  });
}

function testChanges(subject: Subject): void {
  test('a search finds current names and no deleted users', async () => {
    const tenant = await newTenantWithTree(subject);
    const [kept, renamed, removed] = await newUsers(subject, tenant, [
      'Kim Before',
      'Lee Before',
      'Max Before',
    ]);
    assert.deepEqual(await search(subject, tenant, 'before'), [kept, renamed, removed]);
    await write(subject, tenant, async (directory) => {
      await directory.updateUser(renamed ?? 0n, { realName: 'Lee After' });
      await directory.users.deleteUser(removed ?? 0n);
      await directory.replaceUserRole(kept ?? 0n, 1n);
    });
    assert.deepEqual(await search(subject, tenant, 'before'), [kept]);
    assert.deepEqual(await search(subject, tenant, 'after'), [renamed]);
    assert.deepEqual(await search(subject, tenant, 'max'), []);
  });

  test('a change of any searched field is found at once', async () => {
    const tenant = await newTenantWithTree(subject);
    const [id = 0n] = await newUsers(subject, tenant, ['Unchanged']);
    for (const field of ['realName', 'nickname', 'phone', 'email', 'uniqueCode'] as const) {
      const text = `new ${field} 张伟明`;
      await write(subject, tenant, (directory) => directory.updateUser(id, { [field]: text }));
      assert.deepEqual(await search(subject, tenant, text), [id], field);
    }
  });

  test('a change that is rolled back does not affect searches', async () => {
    const tenant = await newTenantWithTree(subject);
    const [id] = await newUsers(subject, tenant, ['Kim Before']);
    const undone = write(subject, tenant, async (directory) => {
      await directory.updateUser(id ?? 0n, { realName: 'Kim After' });
      throw new RangeError('on purpose');
    });
    await assert.rejects(undone, RangeError);
    assert.deepEqual(await search(subject, tenant, 'before'), [id]);
    assert.deepEqual(await search(subject, tenant, 'after'), []);
  });

  test('a user present from the first page to the last is listed once, whatever else changes', async () => {
    const tenant = await newTenantWithTree(subject);
    const names = Array.from({ length: 12 }, (_, index) => `Steady ${index}`);
    const ids = await newUsers(subject, tenant, names);
    const gone = new Set([ids[3], ids[8]]);
    const seen: bigint[] = [];
    let after: ListPosition | undefined;
    for (let page = 0; page === 0 || after !== undefined; page++) {
      const listed = await list(subject, tenant, {
        filters: { search: 'steady' },
        order: 'id',
        limit: 2,
        after,
      });
      seen.push(...listed.entries.map(({ id }) => id));
      after = listed.next;
      await write(subject, tenant, async (directory) => {
        if (page === 0) for (const id of gone) await directory.users.deleteUser(id ?? 0n);
        await directory.updateUser(ids[0] ?? 0n, { nickname: `N${page}` });
        if (page < 3) await directory.insertUser(`new-${page}`, { realName: 'Newcomer' });
      });
    }
    assert.deepEqual(
      seen,
      ids.filter((id) => !gone.has(id)),
    );
  });

  test('an entry has all fields of a user, and its times', async () => {
    const tenant = await newTenantWithTree(subject);
    const [id = 0n] = await newUsers(subject, tenant, ['Complete']);
    const createdAtMs = BigInt(subject.clock.nowMs);
    subject.clock.nowMs += 5;
    await write(subject, tenant, async (directory) => {
      await directory.replaceUserRole(id, 2n);
      await directory.replaceUserOrg(id, 3n);
    });
    const [entry] = await listAll(subject, tenant, { filters: {}, order: 'id', limit: 10 });
    const user = await subject.under.database.directory(tenant).findUser({ id });
    assert.deepEqual(entry, { ...user, createdAtMs, updatedAtMs: createdAtMs + 5n });
  });
}

function testBounds(subject: Subject): void {
  const many = manyUsers(subject);

  test('a selective list examines a bounded number of users per page, and its cursors lead to all matches', async () => {
    const { tenant, early, last } = await many();
    const filters = { unbound: 'org', updatedSinceMs: 1n } as const;
    const request = { filters, order: 'id', limit: 3 } as const;
    const first = await list(subject, tenant, { ...request, after: undefined });
    assert.deepEqual(idsOf(first), [early]);
    assert(first.next !== undefined && first.next.id < last);
    const rest = await list(subject, tenant, { ...request, after: first.next });
    assert.deepEqual(idsOf(rest), [last]);
    assert.equal(rest.next, undefined);
    for (const search of ['z', 'zz', 'of those planted', 'planted', 'e']) {
      const found = await listAll(subject, tenant, { ...request, filters: { ...filters, search } });
      const expected = search.startsWith('z') ? [] : search.startsWith('of') ? [early] : [early, last];
      assert.deepEqual(idsOf({ entries: found }), expected, search);
    }
  });

  test('unbound users are found at once among many bound ones', async () => {
    const { tenant, early, last } = await many();
    const request = { filters: { unbound: 'role' }, order: 'id', limit: 3, after: undefined } as const;
    const found = await list(subject, tenant, request);
    assert.deepEqual([idsOf(found), found.next], [[early, last], undefined]);
  });

  test('a count stops after a few thousand users, and says so', async () => {
    const { tenant } = await many();
    const { lists } = subject.under.database.directory(tenant);
    assert.deepEqual(await lists.countListed({}), { count: 10_000, isMore: true });
    assert.deepEqual(await lists.countListed({ unbound: 'role' }), { count: 2, isMore: false });
    const rare = { unbound: 'org', updatedSinceMs: 1n } as const;
    assert.deepEqual(await lists.countListed(rare), { count: 2, isMore: false });
  });

  test('a search examines no users of another tenant, so it ends with its own', async () => {
    const tenant = await newTenantWithTree(subject);
    const { start } = await many();
    const before = await plantUsers(subject, tenant, start - 1n, 1);
    const behind = await plantUsers(subject, tenant, start + 50_000n, 1);
    const request = { filters: { search: 'planted' }, order: 'id', limit: 3, after: undefined } as const;
    const found = await list(subject, tenant, request);
    assert.deepEqual(idsOf(found), [before, behind]);
    assert.equal(found.next, undefined);
  });
}

const count = 20_500;

/** Makes a tenant with many users, once for the tests that only read them. */
function manyUsers(subject: Subject) {
  let made: ReturnType<typeof make> | undefined;
  const make = async () => {
    const tenant = await newTenantWithTree(subject);
    const start = farFrom(tenant);
    const early = await plantUsers(subject, tenant, start - skippedIds, 1);
    const named = { real_name: 'the first of those planted' };
    await subject.under.db.updateTable('user').set(named).where('id', '=', early).execute();
    return { tenant, early, start, last: await plantUsers(subject, tenant, start, count) };
  };
  return () => {
    made ??= make();
    return made;
  };
}

/** So many that a search on SQLite skips them in four statements. */
const skippedIds = 1_000_000n;

/** Returns ids that no user gets during the test. */
function farFrom(tenantId: bigint): bigint {
  return 5_000_000_000n + tenantId * 100_000n;
}

function idsOf({ entries }: Pick<Page<ListedUser>, 'entries'>): bigint[] {
  return entries.map(({ id }) => id);
}

async function search(subject: Subject, tenantId: bigint, text: string): Promise<bigint[]> {
  const users = await listAll(subject, tenantId, { filters: { search: text }, order: 'id', limit: 2 });
  return users.map(({ id }) => id);
}
