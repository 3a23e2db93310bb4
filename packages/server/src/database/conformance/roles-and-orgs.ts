import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int64Max, newTenant, type Subject, writeTo } from './subject.ts';

const emptyRole = { name: '', systemId: 0n, position: 0, description: '', revision: 1n };

export function testRoles(subject: Subject): void {
  test('a role is inserted with its fields or empty ones, found, changed and removed', async () => {
    const tenant = await newTenant(subject);
    const { database } = subject.under;
    const fields = { name: 'R 🦜', systemId: int64Max, position: -5, description: 'd', code: 'C' };
    const inserted = await writeTo(database, tenant, ({ roles }) => roles.insert(int64Max, fields));
    assert.deepEqual(inserted, { id: int64Max, ...fields, revision: 1n });
    assert.deepEqual(await database.directory(tenant).roles.find(int64Max), inserted);
    const bare = await writeTo(database, tenant, ({ roles }) => roles.insert(5n, {}));
    assert.deepEqual(bare, { id: 5n, ...emptyRole });
    await writeTo(database, tenant, async ({ roles }) => {
      await roles.update(int64Max, { name: 'New', code: '' });
      const { code: _, ...rest } = fields;
      assert.deepEqual(await roles.lock(int64Max), { id: int64Max, ...rest, name: 'New', revision: 2n });
      assert.deepEqual(await roles.lock(5n), bare);
      await roles.remove(int64Max);
      assert.equal(await roles.find(int64Max), undefined);
    });
    assert.deepEqual(await database.directory(tenant).roles.list(undefined, 10), [bare]);
  });

  test('a taken role id inserts nothing; a missing one is assigned, uniquely over two connections', async () => {
    const tenant = await newTenant(subject);
    const { database, second } = subject.under;
    await writeTo(database, tenant, ({ roles }) => roles.insert(40n, { name: 'First' }));
    assert.equal(
      await writeTo(database, tenant, ({ roles }) => roles.insert(40n, { name: 'Again' })),
      undefined,
    );
    assert.equal((await database.directory(tenant).roles.find(40n))?.name, 'First');
    const insertions = Array.from({ length: 12 }, (_, index) =>
      writeTo(index % 2 === 0 ? database : second, tenant, ({ roles }) => roles.insert(undefined, {})),
    );
    const ids = (await Promise.all(insertions)).map((role) => Number(role?.id));
    assert.deepEqual(
      ids.toSorted((a, b) => a - b),
      Array.from({ length: 12 }, (_, index) => 41 + index),
    );
  });

  test('a list continues after a key, in the order of the ids', async () => {
    const tenant = await newTenant(subject);
    const { database } = subject.under;
    const ids = [1n, 2n, 10n, 9007199254740993n, int64Max];
    for (const id of ids.toReversed()) await writeTo(database, tenant, ({ roles }) => roles.insert(id, {}));
    const { roles } = database.directory(tenant);
    const idsAfter = async (after: bigint | undefined, limit: number) =>
      (await roles.list(after, limit)).map(({ id }) => id);
    assert.deepEqual(await idsAfter(undefined, 3), ids.slice(0, 3));
    assert.deepEqual(await idsAfter(10n, 3), ids.slice(3));
    assert.deepEqual(await idsAfter(9007199254740992n, 1), [9007199254740993n]);
    assert.deepEqual(await idsAfter(int64Max, 3), []);
  });
}

export function testOrgs(subject: Subject): void {
  test('an organization has its ancestors, its children and its levels at any depth', async () => {
    const tenant = await newTenant(subject);
    await writeTo(subject.under.database, tenant, async ({ orgs }) => {
      await orgs.lockTree();
      for (let id = 1n; id <= 60n; id += 1n) await orgs.insert(id, { parentId: id - 1n });
      await orgs.insert(100n, { parentId: 1n });
      assert.deepEqual(await orgs.find(1n), { id: 1n, name: '', revision: 1n });
      assert.deepEqual(await orgs.find(2n), { id: 2n, name: '', parentId: 1n, revision: 1n });
      const downwards = Array.from({ length: 60 }, (_, index) => BigInt(index + 1));
      assert.deepEqual(await orgs.listPath(60n, 99), downwards.toReversed());
      assert.deepEqual(await orgs.listPath(60n, 2), [60n, 59n]);
      assert.deepEqual(await orgs.listPath(100n, 99), [100n, 1n]);
      assert.deepEqual(await orgs.listPath(4711n, 99), []);
      assert.deepEqual([await orgs.countLevels(1n, 99), await orgs.countLevels(1n, 7)], [60, 7]);
      assert.deepEqual([await orgs.countLevels(59n, 99), await orgs.countLevels(100n, 99)], [2, 1]);
      assert.deepEqual([await orgs.countChildren(1n), await orgs.countChildren(60n)], [2, 0]);
      await orgs.update(2n, { parentId: 0n, name: 'Root' });
      assert.deepEqual(await orgs.lock(2n), { id: 2n, name: 'Root', revision: 2n });
      assert.deepEqual(await orgs.listPath(60n, 99), downwards.slice(1).toReversed());
    });
  });

  test('looking up ancestors and levels ends even in a broken tree', async () => {
    const tenant_id = await newTenant(subject);
    const { db, database } = subject.under;
    const circle = [
      { tenant_id, id: 1n, name: '', parent_id: 2n },
      { tenant_id, id: 2n, name: '', parent_id: 1n },
    ];
    await db.insertInto('org').values(circle).execute();
    await writeTo(database, tenant_id, async ({ orgs }) => {
      assert.deepEqual(await orgs.listPath(1n, 3), [1n, 2n, 1n]);
      assert.equal(await orgs.countLevels(1n, 9), 2);
    });
  });
}
