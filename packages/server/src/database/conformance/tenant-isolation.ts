import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DirectoryWriter } from '../database.ts';
import {
  listStoresOfUser,
  newFilledTenant,
  newTenant,
  newUser,
  type Subject,
  wholeUser,
  write,
} from './subject.ts';

export function testTenantIsolation(subject: Subject): void {
  test('no method reads, binds, changes or removes data of another tenant', async () => {
    const [theirs, ours] = [await newFilledTenant(subject), await newTenant(subject)];
    const id = await newUser(subject, theirs, 'their.user');
    await write(subject, theirs, async (directory) => {
      await directory.replaceUserRole(id, 1n);
      await directory.replaceUserOrg(id, 1n);
      await directory.replaceUserStores(id, ['A', 'B']);
    });
    const before = await wholeUser(subject, theirs, id);

    const reader = subject.under.database.directory(ours);
    assert.equal(await reader.findUser({ id }), undefined);
    assert.equal(await reader.findUser({ username: 'their.user' }), undefined);
    assert.equal(await reader.userExists(id), false);
    assert.equal(await reader.findRoleOfUser(id), undefined);
    assert.deepEqual(await listStoresOfUser(reader, id), []);
    await write(subject, ours, async (directory) => {
      assert.equal(await directory.lockUser({ id }), undefined);
      assert.equal(await directory.lockUser({ username: 'their.user' }), undefined);
      assert.equal(await directory.findUser({ id }), undefined);
      assert.deepEqual(await directory.readRoleBinding(id, 1n), { exists: false });
      assert.deepEqual(await directory.readOrgBinding(id, 1n), { exists: false });
      assert.deepEqual(await directory.readStoreBinding(id, 'A'), {
        exists: false,
        bound: false,
        isFull: false,
      });
      assert.deepEqual(await directory.users.listUnknownStores(['A', 'B']), ['A', 'B']);
      await directory.updateUser(id, { realName: 'Stolen' });
      await directory.deleteUserRole(id);
      await directory.deleteUserOrg(id);
      await directory.deleteUserStore(id, 'A');
      assert.deepEqual(await directory.replaceUserStores(id, []), { added: [], removed: [] });
    });
    await refuseBindings(subject, ours, id);
    assert.deepEqual(await wholeUser(subject, theirs, id), before);
  });

  test("our own user cannot be bound to another tenant's data", async () => {
    const [, ours] = [await newFilledTenant(subject), await newTenant(subject)];
    const id = await newUser(subject, ours);
    await refuseBindings(subject, ours, id);
  });

  test('each tenant sees its own roles, organizations and stores among those with the same id or code', async () => {
    const [one, two] = [await newFilledTenant(subject), await newFilledTenant(subject)];
    const { db, database } = subject.under;
    await db.updateTable('role').set({ name: 'Two' }).where('tenant_id', '=', two).execute();
    await db.updateTable('org').set({ name: 'Two' }).where('tenant_id', '=', two).execute();
    await db.updateTable('store').set({ name: 'Two' }).where('tenant_id', '=', two).execute();
    const names = [];
    for (const tenant of [one, two]) {
      const id = await newUser(subject, tenant);
      await write(subject, tenant, async (directory) => {
        await directory.replaceUserRole(id, 1n);
        await directory.replaceUserOrg(id, 1n);
        await directory.replaceUserStores(id, ['A']);
      });
      const user = await database.directory(tenant).findUser({ id });
      const [bound] = await listStoresOfUser(database.directory(tenant), id);
      names.push([user?.role?.name, user?.org?.name, bound?.name]);
    }
    assert.deepEqual(names, [
      ['R1', 'O1', 'Store A'],
      ['Two', 'Two', 'Two'],
    ]);
  });
}

/** Expects that bindings to another tenant's role 1, organization 1 and store A are refused. */
async function refuseBindings(subject: Subject, tenantId: bigint, userId: bigint): Promise<void> {
  const intrusions: ((directory: DirectoryWriter) => Promise<unknown>)[] = [
    (directory) => directory.replaceUserRole(userId, 1n),
    (directory) => directory.replaceUserOrg(userId, 1n),
    (directory) => directory.insertUserStore(userId, 'A'),
    (directory) => directory.replaceUserStores(userId, ['A']),
  ];
  for (const intrusion of intrusions) await assert.rejects(write(subject, tenantId, intrusion));
}
