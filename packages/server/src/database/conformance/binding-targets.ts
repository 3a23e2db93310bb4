import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testOrgs, testRoles } from './roles-and-orgs.ts';
import { testStoreSearch, testStores } from './stores.ts';
import { listStoresOfUser, newTenant, type Subject, writeTo } from './subject.ts';

/** Tests roles, organizations and stores on any engine. */
export function testBindingTargets(subject: Subject): void {
  testRoles(subject);
  testOrgs(subject);
  testStores(subject);
  testStoreSearch(subject);
  testRemovals(subject);
  testTargetsOfTenants(subject);
}

function testRemovals(subject: Subject): void {
  test('unbinding everyone changes exactly these users and returns them', async () => {
    const tenant = await newTenant(subject);
    const { database } = subject.under;
    const [a = 0n, b = 0n, other = 0n] = await writeTo(database, tenant, async (directory) => {
      await directory.roles.insert(1n, {});
      await directory.roles.insert(2n, {});
      await directory.orgs.insert(1n, {});
      await directory.stores.insert('A', {});
      await directory.stores.insert('B', {});
      return Promise.all(['a', 'b', 'c'].map((username) => directory.insertUser(username, {})));
    });
    await writeTo(database, tenant, async (directory) => {
      for (const id of [a, b]) {
        await directory.replaceUserRole(id, 1n);
        await directory.replaceUserOrg(id, 1n);
        await directory.replaceUserStores(id, ['A', 'B']);
      }
      await directory.replaceUserRole(other, 2n);
      await directory.replaceUserStores(other, ['B']);
    });
    const userOf = (id: bigint) => database.directory(tenant).findUser({ id });
    const revisions = [(await userOf(a))?.revision ?? 0n, (await userOf(other))?.revision ?? 0n];
    await writeTo(database, tenant, async ({ roles, orgs, stores }) => {
      await roles.lockToRemove(1n, true);
      await orgs.lockToRemove(1n, true);
      await stores.lockToRemove('A', true);
      assert.deepEqual(
        [await roles.countUsers(1n, 9), await orgs.countUsers(1n, 2), await stores.countUsers('A', 0)],
        [2, 2, 1],
      );
      for (const unbound of [roles.unbindUsers(1n), orgs.unbindUsers(1n), stores.unbindUsers('A')]) {
        assert.deepEqual(await unbound, [a, b]);
      }
      assert.deepEqual(await roles.unbindUsers(1n), []);
      await roles.remove(1n);
      await orgs.remove(1n);
      await stores.remove('A');
    });
    for (const id of [a, b]) {
      const user = await userOf(id);
      assert.deepEqual(
        [user?.role, user?.org, user?.revision],
        [undefined, undefined, (revisions[0] ?? 0n) + 3n],
      );
      const left = await listStoresOfUser(database.directory(tenant), id);
      assert.deepEqual(
        left.map(({ code }) => code),
        ['B'],
      );
    }
    assert.deepEqual((await userOf(other))?.role?.id, 2n);
    assert.equal((await userOf(other))?.revision, revisions[1]);
  });

  test('removing a store while another connection binds users leaves no dangling binding', async () => {
    const tenant = await newTenant(subject);
    const { database, second } = subject.under;
    const user = await writeTo(database, tenant, (directory) => directory.insertUser('u', {}));
    assert(user !== undefined);
    for (let round = 0; round < 15; round += 1) {
      const code = `S${round}`;
      await writeTo(database, tenant, ({ stores }) => stores.insert(code, {}));
      const bind = writeTo(database, tenant, async (directory) => {
        await directory.lockUser({ id: user });
        if (!(await directory.readStoreBinding(user, code)).exists) return 'unknown';
        await directory.insertUserStore(user, code);
        return 'bound';
      });
      const remove = writeTo(second, tenant, async ({ stores }) => {
        await stores.lockToRemove(code, round % 2 === 0);
        if ((await stores.countUsers(code, 0)) > 0) return 'in use';
        await stores.remove(code);
        return 'removed';
      });
      const outcome = (await Promise.all([bind, remove])).join(', ');
      assert(outcome === 'bound, in use' || outcome === 'unknown, removed', outcome);
    }
  });
}

function testTargetsOfTenants(subject: Subject): void {
  test('roles, organizations and stores of another tenant are neither seen, counted, changed nor removed', async () => {
    const [theirs, ours] = [await newTenant(subject), await newTenant(subject)];
    const { database } = subject.under;
    await writeTo(database, theirs, async (directory) => {
      await directory.roles.insert(1n, { name: 'Theirs' });
      await directory.orgs.insert(1n, { name: 'Theirs' });
      await directory.orgs.insert(2n, { parentId: 1n });
      await directory.stores.insert('A', { name: 'Theirs' });
      const id = (await directory.insertUser('their.user', {})) ?? 0n;
      await directory.replaceUserRole(id, 1n);
      await directory.replaceUserOrg(id, 1n);
      await directory.insertUserStore(id, 'A');
    });
    const everything = async () => {
      const { roles, orgs, stores } = database.directory(theirs);
      const user = await database.directory(theirs).findUser({ username: 'their.user' });
      const lists = [
        await roles.list(undefined, 9),
        await orgs.list(undefined, 9),
        await stores.list(undefined, 9),
      ];
      return [user, ...lists, await stores.listUsers('A', undefined, 9)];
    };
    const before = await everything();
    await writeTo(database, ours, async ({ roles, orgs, stores }) => {
      for (const targets of [roles, orgs]) {
        assert.equal(await targets.find(1n), undefined);
        assert.equal(await targets.lock(1n), undefined);
        assert.equal(await targets.lockToRemove(1n, true), undefined);
        assert.deepEqual(await targets.list(undefined, 9), []);
        assert.equal(await targets.countUsers(1n, 9), 0);
        assert.deepEqual(await targets.unbindUsers(1n), []);
        await targets.update(1n, { name: 'Stolen' });
        await targets.remove(1n);
      }
      assert.deepEqual(await orgs.listPath(2n, 9), []);
      assert.equal(await orgs.countLevels(1n, 9), 1);
      assert.equal(await orgs.countChildren(1n), 0);
      assert.equal(await stores.find('A'), undefined);
      assert.equal(await stores.lock('A'), undefined);
      assert.equal(await stores.lockToRemove('A', true), undefined);
      assert.deepEqual(await stores.listUsers('A', undefined, 9), []);
      assert.deepEqual(await stores.unbindUsers('A'), []);
      await stores.update('A', { name: 'Stolen' });
      await stores.remove('A');
      const { created } = await stores.upsert([{ code: 'A', name: 'Ours' }]);
      assert.equal(created.length, 1);
      assert.equal((await roles.insert(undefined, {}))?.id, 1n);
      assert.equal((await orgs.insert(undefined, {}))?.id, 1n);
    });
    assert.deepEqual(await everything(), before);
  });
}
