import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storesLookedAtMax } from '../queries/targets/search-stores.ts';
import { int64Max, newTenant, type Subject, writeTo } from './subject.ts';

/** Tests roles, organizations and stores on any engine. */
export function testBindingTargets(subject: Subject): void {
  testRoles(subject);
  testOrgs(subject);
  testStores(subject);
  testStoreSearch(subject);
  testRemovals(subject);
  testTargetsOfTenants(subject);
}

const emptyRole = { name: '', systemId: 0n, position: 0, description: '', revision: 1n };

function testRoles(subject: Subject): void {
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

function testOrgs(subject: Subject): void {
  test('an organization is within itself and its ancestors at any depth, and has its children', async () => {
    const tenant = await newTenant(subject);
    await writeTo(subject.under.database, tenant, async ({ orgs }) => {
      await orgs.lockTree();
      for (let id = 1n; id <= 60n; id += 1n) await orgs.insert(id, { parentId: id - 1n });
      await orgs.insert(100n, { parentId: 1n });
      assert.deepEqual(await orgs.find(1n), { id: 1n, name: '', revision: 1n });
      assert.deepEqual(await orgs.find(2n), { id: 2n, name: '', parentId: 1n, revision: 1n });
      assert.equal(await orgs.isWithin(60n, 1n), true);
      assert.equal(await orgs.isWithin(60n, 60n), true);
      assert.equal(await orgs.isWithin(1n, 60n), false);
      assert.equal(await orgs.isWithin(100n, 2n), false);
      assert.equal(await orgs.isWithin(4711n, 1n), false);
      assert.deepEqual([await orgs.countChildren(1n), await orgs.countChildren(60n)], [2, 0]);
      await orgs.update(2n, { parentId: 0n, name: 'Root' });
      assert.deepEqual(await orgs.lock(2n), { id: 2n, name: 'Root', revision: 2n });
      assert.equal(await orgs.isWithin(60n, 1n), false);
    });
  });

  test('looking up ancestors ends even in a broken tree', async () => {
    const tenant_id = await newTenant(subject);
    const { db, database } = subject.under;
    const circle = [
      { tenant_id, id: 1n, name: '', parent_id: 2n },
      { tenant_id, id: 2n, name: '', parent_id: 1n },
    ];
    await db.insertInto('org').values(circle).execute();
    await writeTo(database, tenant_id, async ({ orgs }) => {
      assert.equal(await orgs.isWithin(1n, 2n), true);
      assert.equal(await orgs.isWithin(1n, 3n), false);
    });
  });
}

function testStores(subject: Subject): void {
  test('any sequence of upserts of stores behaves as on a map', async () => {
    const rows = fc.uniqueArray(
      fc.record(
        {
          code: fc.constantFrom('A', 'a', 'é', '店', '🏬', '"', "'"),
          name: fc.constantFrom('One', 'Two'),
          address: fc.constantFrom('', 'x', 'y'),
        },
        { requiredKeys: ['code', 'name'] },
      ),
      { selector: ({ code }) => code, minLength: 1 },
    );
    const { database } = subject.under;
    const law = fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 5 }), async (requests) => {
      const tenant = await newTenant(subject);
      const model = new Map<string, { name: string; address: string; revision: bigint }>();
      for (const request of requests) {
        const told = await writeTo(database, tenant, ({ stores }) => stores.upsert(request));
        const [created, updated] = [[] as string[], [] as string[]];
        for (const { code, name, address } of request) {
          const before = model.get(code);
          const after = { name, address: address ?? before?.address ?? '' };
          if (before?.name === after.name && before.address === after.address) continue;
          (before === undefined ? created : updated).push(code);
          model.set(code, { ...after, revision: (before?.revision ?? 0n) + 1n });
        }
        const codes = { created: told.created, updated: told.updated.map(({ after }) => after) };
        assert.deepEqual(
          codes.created.map(({ code }) => code),
          created,
        );
        assert.deepEqual(
          codes.updated.map(({ code }) => code),
          updated,
        );
        assert.equal(told.unchanged, request.length - created.length - updated.length);
      }
      const listed = await database.directory(tenant).stores.list(undefined, 100);
      assert.deepEqual(new Map(listed.map(({ code, ...rest }) => [code, rest])), model);
    });
    await fc.assert(law, { numRuns: 25 });
  });

  test('a store is inserted once, and its users are listed by id', async () => {
    const tenant = await newTenant(subject);
    const { database } = subject.under;
    const inserted = await writeTo(database, tenant, ({ stores }) => stores.insert('A', { name: 'N' }));
    assert.deepEqual({ ...inserted }, { code: 'A', name: 'N', address: '', revision: 1n });
    assert.equal(await writeTo(database, tenant, ({ stores }) => stores.insert('A', {})), undefined);
    const ids = await writeTo(database, tenant, async (directory) => {
      const ids: bigint[] = [];
      for (const username of ['one', 'two', 'three']) {
        const id = await directory.insertUser(username, { realName: 'N', phone: '5' });
        assert(id !== undefined);
        await directory.insertUserStore(id, 'A');
        ids.push(id);
      }
      return ids;
    });
    const { stores } = database.directory(tenant);
    const idsAfter = async (after: bigint | undefined, limit: number) =>
      (await stores.listUsers('A', after, limit)).map(({ id }) => id);
    assert.deepEqual(await idsAfter(undefined, 2), ids.slice(0, 2));
    assert.deepEqual(await idsAfter(ids[1], 2), ids.slice(2));
    const [first] = await stores.listUsers('A', undefined, 1);
    const fields = { username: 'one', realName: 'N', phone: '5', status: 'active' };
    assert.deepEqual({ ...first }, { id: ids[0], ...fields });
  });
}

function testStoreSearch(subject: Subject): void {
  test('stores are found by code, name and address whatever the case, and by whether anybody has them', async () => {
    const tenant = await newTenant(subject);
    const { database } = subject.under;
    await writeTo(database, tenant, async (directory) => {
      await directory.stores.upsert([
        { code: 'A-1', name: 'Harbour [1]', address: 'Quay 7' },
        { code: 'A-2', name: 'Market', address: 'Ärmelgasse 1' },
        { code: 'B-1', name: '城东店', address: 'quay 9' },
      ]);
      const id = await directory.insertUser('someone', {});
      await directory.replaceUserStores(id ?? 0n, ['A-2']);
    });
    const { stores } = database.directory(tenant);
    const codes = async (...search: Parameters<typeof stores.search>) =>
      (await stores.search(...search)).stores.map(({ code }) => code);
    assert.deepEqual(await codes({ text: 'QUAY' }, undefined, 9), ['A-1', 'B-1']);
    assert.deepEqual(await codes({ text: 'ärMEL' }, undefined, 9), ['A-2']);
    assert.deepEqual(await codes({ text: 'r [1' }, undefined, 9), ['A-1']);
    assert.deepEqual(await codes({ text: '东' }, undefined, 9), ['B-1']);
    assert.deepEqual(await codes({ isUnassigned: true }, undefined, 9), ['A-1', 'B-1']);
    assert.deepEqual(await codes({ isUnassigned: true, text: '7' }, undefined, 9), ['A-1']);
    assert.deepEqual(await codes({ isUnassigned: true }, 'A-1', 9), ['B-1']);
    assert.equal((await stores.search({ isUnassigned: true }, undefined, 1)).next, 'A-1');
    assert.equal((await stores.search({}, undefined, 9)).next, undefined);
  });

  test('a search for stores looks at some of many at a time, and goes on where it ended', async () => {
    const tenant_id = await newTenant(subject);
    const { db, database } = subject.under;
    const code = (index: number) => `S${10_000 + index}`;
    const rows = Array.from({ length: storesLookedAtMax + 5 }, (_, index) => ({
      tenant_id,
      code: code(index),
      name: '',
      address: index === storesLookedAtMax + 1 ? 'here' : '',
    }));
    for (let start = 0; start < rows.length; start += 5000) {
      await db
        .insertInto('store')
        .values(rows.slice(start, start + 5000))
        .execute();
    }
    const { stores } = database.directory(tenant_id);
    const first = await stores.search({ text: 'here' }, undefined, 9);
    assert.deepEqual(first, { stores: [], next: code(storesLookedAtMax - 1) });
    const second = await stores.search({ text: 'here' }, first.next, 9);
    assert.deepEqual(
      second.stores.map((store) => store.code),
      [code(storesLookedAtMax + 1)],
    );
    assert.equal(second.next, undefined);
  });
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
        [await roles.countUsers(1n), await orgs.countUsers(1n), await stores.countUsers('A')],
        [2, 2, 2],
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
      const left = await database.directory(tenant).listStoresOfUser(id);
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
        if ((await directory.listUnknownStoreCodes([code])).length > 0) return 'unknown';
        await directory.insertUserStore(user, code);
        return 'bound';
      });
      const remove = writeTo(second, tenant, async ({ stores }) => {
        await stores.lockToRemove(code, round % 2 === 0);
        if ((await stores.countUsers(code)) > 0) return 'in use';
        await stores.remove(code);
        return 'removed';
      });
      const outcome = (await Promise.all([bind, remove])).join(', ');
      assert(outcome === 'bound, in use' || outcome === 'unknown, removed', outcome);
    }
  });

  test('all audit rows of a write are in its transaction, in order', async () => {
    const tenant = await newTenant(subject);
    const { db, database } = subject.under;
    const more = Array.from({ length: 4500 }, (_, index) => ({
      operation: 'many',
      ...(index % 2 === 0 && { appId: 'app', requestId: 'r', userId: BigInt(index) }),
      changes: { index, big: int64Max, text: '🦜 "\\' },
    }));
    const audit = { operation: 'first', changes: {} };
    const failing = database.write(tenant, undefined, async () => ({
      result: undefined,
      audit,
      more: [
        ...more.slice(0, 3),
        { operation: 'cannot', changes: { invalid: Symbol('x'), self: circular() } },
      ],
    }));
    await assert.rejects(failing, TypeError);
    await database.write(tenant, undefined, async () => ({ result: undefined, audit, more }));
    const rows = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .orderBy('id')
      .execute();
    const [, first, ...rest] = rows;
    assert.equal(first?.operation, 'first');
    assert.deepEqual(
      rest.map(({ app_id, request_id, user_id, changes, at }) => [app_id, request_id, user_id, changes, at]),
      more.map((_, index) => [
        ...(index % 2 === 0 ? ['app', 'r', BigInt(index)] : [null, null, null]),
        `{"index":${index},"big":${int64Max},"text":"🦜 \\"\\\\"}`,
        BigInt(subject.clock.nowMs),
      ]),
    );
  });
}

function circular(): unknown {
  const self: Record<string, unknown> = {};
  self.self = self;
  return self;
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
        assert.equal(await targets.countUsers(1n), 0);
        assert.deepEqual(await targets.unbindUsers(1n), []);
        await targets.update(1n, { name: 'Stolen' });
        await targets.remove(1n);
      }
      assert.equal(await orgs.isWithin(2n, 1n), false);
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
