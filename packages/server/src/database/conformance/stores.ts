import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleLimits } from '@fieldroster/contract/console';
import fc from 'fast-check';
import { storesPerStep } from '../queries/targets/search-stores.ts';
import { newTenant, type Subject, writeTo } from './subject.ts';

export function testStores(subject: Subject): void {
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
        const planned = await database.directory(tenant).stores.plan(request);
        const told = await writeTo(database, tenant, ({ stores }) => stores.upsert(request));
        assert.deepEqual(planned, told);
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

export function testStoreSearch(subject: Subject): void {
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
    const { stores: all } = await stores.search({}, undefined, 9);
    const representatives = all.map((store) => [store.code, store.representatives]);
    assert.deepEqual(representatives, [
      ['A-1', 0],
      ['A-2', 1],
      ['B-1', 0],
    ]);
    assert.deepEqual(await stores.count({}), { count: 3, isMore: false });
    assert.deepEqual(await stores.count({ isUnassigned: true, text: '7' }), { count: 1, isMore: false });
  });

  test('the representatives of a store are those of its tenant, counted up to a limit', async () => {
    const { database } = subject.under;
    const [tenant, other] = [await newTenant(subject), await newTenant(subject)];
    const insertStore = (to: bigint, users: number) =>
      writeTo(database, to, async (directory) => {
        await directory.stores.insert('A', {});
        for (let index = 0; index < users; index++)
          await directory.insertUserStore((await directory.insertUser(`user ${index}`, {})) ?? 0n, 'A');
      });
    await insertStore(tenant, 1);
    await insertStore(other, consoleLimits.representativesCountedMax + 1);
    const counted = async (of: bigint) => {
      const { stores } = await database.directory(of).stores.search({}, undefined, 9);
      return stores.map(({ representatives }) => representatives);
    };
    assert.deepEqual(await counted(tenant), [1]);
    assert.deepEqual(await counted(other), [100]);
  });

  test('a search looks at a bounded number of stores at a time, and continues where it ended', async () => {
    const tenant_id = await newTenant(subject);
    const { db, database } = subject.under;
    const code = (index: number) => `S${10_000 + index}`;
    const rows = Array.from({ length: storesPerStep + 5 }, (_, index) => ({
      tenant_id,
      code: code(index),
      name: '',
      address: index === storesPerStep + 1 ? 'here' : '',
    }));
    for (let start = 0; start < rows.length; start += 5000) {
      await db
        .insertInto('store')
        .values(rows.slice(start, start + 5000))
        .execute();
    }
    const { stores } = database.directory(tenant_id);
    const first = await stores.search({ text: 'here' }, undefined, 9);
    assert.deepEqual(first, { stores: [], next: code(storesPerStep - 1) });
    const second = await stores.search({ text: 'here' }, first.next, 9);
    assert.deepEqual(
      second.stores.map((store) => store.code),
      [code(storesPerStep + 1)],
    );
    assert.equal(second.next, undefined);
    assert.deepEqual(await stores.count({}), { count: rows.length, isMore: false });
    assert.deepEqual(await stores.count({ text: 'here' }), { count: 1, isMore: false });
  });
}
