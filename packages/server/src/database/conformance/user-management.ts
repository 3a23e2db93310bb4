import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, UserToSave } from '../database.ts';
import { testCredentials } from './credentials.ts';
import { newTenantWithTargets, save, timesOf } from './saved-users.ts';
import { testStoreCounts } from './store-counts.ts';
import { everyField, int64Max, listStoresOfUser, noField, type Subject, writeTo } from './subject.ts';

/** Tests saving many users, removals, the status and hashes, on any engine. */
export function testUserManagement(subject: Subject): void {
  testSaving(subject);
  testStates(subject);
  testStoreCounts(subject);
  testUnknown(subject);
  testRemoval(subject);
  testCredentials(subject);
}

function testSaving(subject: Subject): void {
  test('users saved together are created with every field and binding, each with its own id', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database } = subject.under;
    const ids = await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([
        save('full 🦜', { fields: everyField, roleId: int64Max, orgId: 1n, storesAdded: ['B', 'A'] }),
        save('bare'),
        save('bound', { orgId: int64Max, storesAdded: ['D'] }),
      ]),
    );
    assert.deepEqual([...ids.keys()].toSorted(), ['bare', 'bound', 'full 🦜']);
    assert.equal(new Set(ids.values()).size, 3);
    const states = await database.directory(tenant).users.readStates(['bare', 'nobody', 'full 🦜', 'bound']);
    const userOf = (username: string) => ({
      id: ids.get(username),
      username,
      status: 'active',
      revision: 1n,
      hasPassword: false,
    });
    assert.deepEqual(
      states,
      new Map([
        ['bare', { user: { ...userOf('bare'), ...noField }, storeCodes: [] }],
        [
          'full 🦜',
          {
            user: { ...userOf('full 🦜'), ...everyField },
            roleId: int64Max,
            orgId: 1n,
            storeCodes: ['A', 'B'],
          },
        ],
        ['bound', { user: { ...userOf('bound'), ...noField }, orgId: int64Max, storeCodes: ['D'] }],
      ]),
    );
  });

  test('bulk saves and single inserts never assign the same id', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database } = subject.under;
    const ids = await writeTo(database, tenant, async (directory) => [
      (await directory.insertUser('one', {})) ?? 0n,
      ...(await directory.users.saveUsers([save('two'), save('three')])).values(),
      (await directory.insertUser('four', {})) ?? 0n,
    ]);
    assert.equal(new Set(ids).size, 4);
    assert.deepEqual(ids.toSorted(ascending), ids.toSorted(ascending).toSpliced(4));
    assert((ids[3] ?? 0n) > (ids[2] ?? 0n));
  });

  test('a saved change applies to the given fields and the bindings, and raises the revision once', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database } = subject.under;
    await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([
        save('changed', { fields: everyField, roleId: 1n, orgId: 1n, storesAdded: ['A', 'B'] }),
        save('neighbour', { fields: everyField, roleId: 1n, storesAdded: ['A', 'B'] }),
      ]),
    );
    const before = await database.directory(tenant).users.readStates(['changed', 'neighbour']);
    subject.clock.nowMs += 1000;
    await writeTo(database, tenant, async ({ users }) => {
      const existing = (await users.readStates(['changed'])).get('changed')?.user;
      assert(existing !== undefined);
      const fields = { phone: 'new', email: '', gender: 0 };
      const stores = { storesAdded: ['C', 'D'], storesRemoved: ['A'] };
      const saved = await users.saveUsers([
        save('changed', { existing, fields, roleId: int64Max, ...stores }),
      ]);
      assert.deepEqual([...saved], [['changed', existing.id]]);
    });
    const after = await database.directory(tenant).users.readStates(['changed', 'neighbour']);
    const was = before.get('changed');
    assert.deepEqual(after.get('neighbour'), before.get('neighbour'));
    assert.deepEqual(after.get('changed'), {
      user: { ...was?.user, phone: 'new', email: '', gender: 0, revision: 2n },
      roleId: int64Max,
      orgId: 1n,
      storeCodes: ['B', 'C', 'D'],
    });
    assert.deepEqual(await timesOf(subject, was?.user.id), [subject.clock.nowMs - 1000, subject.clock.nowMs]);
  });

  test('a given password replaces the old one; without one, the old one stays', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database } = subject.under;
    await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([
        save('a', { fields: { passwordHash: 'one' } }),
        save('b', { fields: { passwordHash: 'two' } }),
        save('c'),
      ]),
    );
    await writeTo(database, tenant, async ({ users }) => {
      const states = await users.readStates(['a', 'b', 'c']);
      assert.deepEqual(
        ['a', 'b', 'c'].map((name) => states.get(name)?.user.hasPassword),
        [true, true, false],
      );
      const existing = (name: string) => states.get(name)?.user as NonNullable<UserToSave['existing']>;
      await users.saveUsers([
        save('a', { existing: existing('a'), fields: { passwordHash: 'new' } }),
        save('b', { existing: existing('b'), fields: { phone: '1' } }),
      ]);
    });
    const { users } = database.directory(tenant);
    assert.equal((await users.findCredentials('a'))?.passwordHash, 'new');
    assert.equal((await users.findCredentials('b'))?.passwordHash, 'two');
  });

  test('a user whose name was taken in the meantime is left out, with every binding', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database } = subject.under;
    await writeTo(database, tenant, async (directory) => {
      const id = await directory.insertUser('taken', {});
      const ids = await directory.users.saveUsers([
        save('taken', { fields: { phone: '1' }, roleId: 1n, storesAdded: ['A'] }),
        save('free', { roleId: 1n, storesAdded: ['A'] }),
      ]);
      assert.deepEqual([...ids.keys()], ['free']);
      const states = await directory.users.readStates(['taken']);
      const expected = {
        id,
        username: 'taken',
        ...noField,
        status: 'active',
        revision: 1n,
        hasPassword: false,
      };
      assert.deepEqual(states.get('taken'), { user: expected, storeCodes: [] });
    });
  });

  test('saving nobody does nothing', async () => {
    const tenant = await newTenantWithTargets(subject);
    assert.deepEqual(
      await writeTo(subject.under.database, tenant, ({ users }) => users.saveUsers([])),
      new Map(),
    );
  });
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}

function testStates(subject: Subject): void {
  test('users whose state a write reads are locked against other writes until its end', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database, second } = subject.under;
    await writeTo(database, tenant, ({ users }) => users.saveUsers([save('a'), save('b')]));
    const order: string[] = [];
    let started = () => {};
    const locked = new Promise<void>((resolve) => {
      started = resolve;
    });
    const first = writeTo(database, tenant, async ({ users }) => {
      await users.readStates(['b', 'a']);
      started();
      for (let iteration = 0; iteration < 20; iteration += 1)
        await new Promise((resume) => setImmediate(resume));
      order.push('first');
    });
    await locked;
    const other = writeTo(second, tenant, async (directory) => {
      await directory.lockUser({ username: 'a' });
      order.push('second');
    });
    await Promise.all([first, other]);
    assert.deepEqual(order, ['first', 'second']);
  });

  test('batches that read the same users in opposite orders both finish', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database, second } = subject.under;
    const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    await writeTo(database, tenant, ({ users }) => users.saveUsers(names.map((name) => save(name))));
    const touchAll = (on: Database, order: readonly string[]) =>
      writeTo(on, tenant, async ({ users }) => {
        const states = await users.readStates(order);
        const all = [...states.values()].map(({ user }) =>
          save(user.username, { existing: user, fields: { phone: 'x' } }),
        );
        await users.saveUsers(all);
      });
    await Promise.all([
      touchAll(database, names),
      touchAll(second, names.toReversed()),
      touchAll(database, names),
    ]);
    const states = await database.directory(tenant).users.readStates(names);
    assert([...states.values()].every(({ user }) => user.revision === 4n));
  });
}

function testUnknown(subject: Subject): void {
  test('unknown roles, organizations and stores are reported with every digit', async () => {
    const tenant = await newTenantWithTargets(subject);
    const other = await newTenantWithTargets(subject);
    const { db, database } = subject.under;
    await db.insertInto('store').values({ tenant_id: other, code: 'X', name: '', address: '' }).execute();
    const { users } = database.directory(tenant);
    const ids = [1n, 2n, int64Max, int64Max - 1n, 0n, -1n];
    const unknown = [-1n, 0n, 2n, int64Max - 1n];
    assert.deepEqual((await users.listUnknownRoles(ids)).toSorted(ascending), unknown);
    assert.deepEqual((await users.listUnknownOrgs(ids)).toSorted(ascending), unknown);
    assert.deepEqual(await users.listUnknownStores(['A', 'a', 'X', '', 'D']), ['a', 'X', '']);
    assert.deepEqual(await users.listUnknownRoles([]), []);
    assert.deepEqual(await users.listUnknownUsers([]), []);
    assert.deepEqual(await users.listUnknownOrgs([]), []);
    assert.deepEqual(await users.listUnknownStores([]), []);
  });

  test('missing users are reported, including those of another tenant', async () => {
    const tenant = await newTenantWithTargets(subject);
    const other = await newTenantWithTargets(subject);
    const { database } = subject.under;
    const idsIn = async (tenantId: bigint, names: readonly string[]) => [
      ...(
        await writeTo(database, tenantId, ({ users }) => users.saveUsers(names.map((name) => save(name))))
      ).values(),
    ];
    const [kept = 0n, removed = 0n] = await idsIn(tenant, ['kept', 'removed']);
    const [foreign = 0n] = await idsIn(other, ['kept']);
    await writeTo(database, tenant, ({ users }) => users.deleteUser(removed));
    const { users } = database.directory(tenant);
    const unknown = await users.listUnknownUsers([kept, removed, foreign, int64Max, -1n]);
    assert.deepEqual(unknown.toSorted(ascending), [removed, foreign, int64Max, -1n].toSorted(ascending));
  });
}

function testRemoval(subject: Subject): void {
  test('a user is removed with every binding; others stay, including those of other tenants', async () => {
    const [tenant, other] = [await newTenantWithTargets(subject), await newTenantWithTargets(subject)];
    const { database } = subject.under;
    const bound = { roleId: 1n, orgId: 1n, storesAdded: ['A', 'B'] };
    const ids = await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([save('gone', bound), save('kept', bound)]),
    );
    const id = ids.get('gone') ?? 0n;
    await writeTo(database, other, ({ users }) => users.deleteUser(id));
    assert.equal((await database.directory(tenant).users.readStates(['gone'])).size, 1);
    await writeTo(database, tenant, ({ users }) => users.deleteUser(id));
    const left = await database.directory(tenant).users.readStates(['gone', 'kept']);
    assert.deepEqual([...left.keys()], ['kept']);
    assert.deepEqual(left.get('kept')?.storeCodes, ['A', 'B']);
    assert.deepEqual(await listStoresOfUser(database.directory(tenant), id), []);
    assert.equal(await database.directory(tenant).findRoleOfUser(id), undefined);
    const again = await writeTo(database, tenant, (directory) => directory.insertUser('gone', {}));
    assert.notEqual(again, id);
  });

  test('a status is set for one user of one tenant, as a change', async () => {
    const [tenant, other] = [await newTenantWithTargets(subject), await newTenantWithTargets(subject)];
    const { database } = subject.under;
    const ids = await writeTo(database, tenant, ({ users }) => users.saveUsers([save('off'), save('on')]));
    const id = ids.get('off') ?? 0n;
    await writeTo(database, other, ({ users }) => users.setUserStatus(id, 'disabled'));
    assert.equal((await database.directory(tenant).findUser({ id }))?.status, 'active');
    await writeTo(database, tenant, ({ users }) => users.setUserStatus(id, 'disabled'));
    const user = await database.directory(tenant).findUser({ id });
    assert.deepEqual([user?.status, user?.revision], ['disabled', 2n]);
    assert.equal((await database.directory(tenant).findUser({ username: 'on' }))?.status, 'active');
  });
}
