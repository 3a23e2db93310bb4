import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { limits } from '@fieldroster/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { atScale } from '../../../../../scripts/testing/full-scale.ts';
import type { DirectoryWriter, StoreRecord } from '../database.ts';
import {
  listStoresInSlices,
  listStoresOfUser,
  newFilledTenant,
  newTenant,
  newUser,
  type Subject,
  storeCodes,
  write,
} from './subject.ts';

export function testBindings(subject: Subject): void {
  test('a role is bound, replaced and unbound, and each is seen at once', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const directory = subject.under.database.directory(tenant);
    const first = { id: 1n, name: 'R1', systemId: 9n, position: 3, description: 'first', code: 'C1' };
    const second = { id: 2n, name: 'R2', systemId: 0n, position: 0, description: '' };
    await write(subject, tenant, async (each) => {
      assert.deepEqual(await each.readRoleBinding(id, 1n), { exists: true });
      await each.replaceUserRole(id, 1n);
      assert.deepEqual(await each.readRoleBinding(id, 1n), { exists: true, current: 1n });
    });
    assert.deepEqual(await directory.findRoleOfUser(id), first);
    await write(subject, tenant, async (each) => {
      assert.deepEqual(await each.readRoleBinding(id, 3n), { exists: false, current: 1n });
      await each.replaceUserRole(id, 2n);
      assert.deepEqual(await each.readRoleBinding(id, 1n), { exists: true, current: 2n });
    });
    assert.deepEqual(await directory.findRoleOfUser(id), second);
    assert.deepEqual((await directory.findUser({ id }))?.role, second);
    await write(subject, tenant, async (each) => {
      await each.deleteUserRole(id);
      assert.deepEqual(await each.readRoleBinding(id, 2n), { exists: true });
    });
    assert.equal(await directory.findRoleOfUser(id), undefined);
    assert(!('role' in ((await directory.findUser({ id })) ?? {})));
  });

  test('an organization is bound, replaced and unbound, and each is seen at once', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const directory = subject.under.database.directory(tenant);
    await write(subject, tenant, async (each) => {
      assert.deepEqual(await each.readOrgBinding(id, 1n), { exists: true });
      await each.replaceUserOrg(id, 1n);
      assert.deepEqual(await each.readOrgBinding(id, 1n), { exists: true, current: 1n });
    });
    assert.deepEqual((await directory.findUser({ id }))?.org, { id: 1n, name: 'O1' });
    await write(subject, tenant, async (each) => {
      assert.deepEqual(await each.readOrgBinding(id, 3n), { exists: false, current: 1n });
      await each.replaceUserOrg(id, 2n);
      assert.deepEqual(await each.readOrgBinding(id, 1n), { exists: true, current: 2n });
    });
    assert.deepEqual((await directory.findUser({ id }))?.org, { id: 2n, name: 'O2', parentId: 1n });
    await write(subject, tenant, async (each) => {
      await each.deleteUserOrg(id);
      assert.deepEqual(await each.readOrgBinding(id, 2n), { exists: true });
    });
    assert(!('org' in ((await directory.findUser({ id })) ?? {})));
  });

  test('stores are bound, listed with their fields in the order of codes, and unbound', async () => {
    const tenant = await newFilledTenant(subject);
    const [id, other] = [await newUser(subject, tenant), await newUser(subject, tenant)];
    const entry = (code: string) => ({ code, name: `Store ${code}`, address: `At ${code}` });
    const listStores = async () => {
      const listed = await listStoresOfUser(subject.under.database.directory(tenant), id);
      return listed.map((store) => ({ ...store }));
    };
    await write(subject, tenant, async (each) => {
      assert.deepEqual(await each.readStoreBinding(id, 'C'), { exists: true, bound: false, isFull: false });
      for (const code of ['C', 'A']) await each.insertUserStore(id, code);
      assert.deepEqual(await each.readStoreBinding(id, 'C'), { exists: true, bound: true, isFull: false });
      assert.deepEqual(await each.readStoreBinding(other, 'C'), {
        exists: true,
        bound: false,
        isFull: false,
      });
      assert.deepEqual(await each.readStoreBinding(id, 'c'), { exists: false, bound: false, isFull: false });
    });
    assert.deepEqual(await listStores(), [entry('A'), entry('C')]);
    await write(subject, tenant, async (each) => {
      await each.deleteUserStore(id, 'A');
      assert.deepEqual(await each.readStoreBinding(id, 'A'), { exists: true, bound: false, isFull: false });
    });
    assert.deepEqual(await listStores(), [entry('C')]);
  });

  test('only a store that could be bound is refused by the number of stores', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const { db } = subject.under;
    const tenantId = sql`cast(${tenant} as bigint)`;
    const numbers = sql`with recursive numbers(n) as
      (select 1 union all select n + 1 from numbers where n < ${sql.lit(limits.storeCodesMax)})`;
    await sql`${numbers} insert into store (tenant_id, code, name, address)
      select ${tenantId}, 'T' || n, 'Store', '' from numbers`.execute(db);
    await sql`${numbers} insert into user_store (tenant_id, user_id, store_code)
      select ${tenantId}, cast(${id} as bigint), 'T' || n from numbers`.execute(db);
    await write(subject, tenant, async (each) => {
      assert.deepEqual(await each.readStoreBinding(id, 'A'), { exists: true, bound: false, isFull: true });
      assert.deepEqual(await each.readStoreBinding(id, 'T7'), { exists: true, bound: true, isFull: false });
      assert.deepEqual(await each.readStoreBinding(id, 'a'), { exists: false, bound: false, isFull: false });
      await each.deleteUserStore(id, 'T7');
      assert.deepEqual(await each.readStoreBinding(id, 'A'), { exists: true, bound: false, isFull: false });
    });
  });

  test('a store is never bound twice', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const bind = () => write(subject, tenant, (each) => each.insertUserStore(id, 'A'));
    await bind();
    await assert.rejects(bind(), /unique/i);
    assert.equal((await subject.under.database.directory(tenant).findUser({ id }))?.revision, 2n);
  });

  test('codes of any script are listed by code point', async () => {
    const tenant_id = await newTenant(subject);
    const id = await newUser(subject, tenant_id);
    const sorted = ['10', '9', 'A', 'a', 'b', 'é', '店', '\uffe6', '🏬'];
    await subject.under.db
      .insertInto('store')
      .values(sorted.toReversed().map((code) => ({ tenant_id, code, name: '', address: '' })))
      .execute();
    await write(subject, tenant_id, (directory) => directory.replaceUserStores(id, sorted.toReversed()));
    const listed = await listStoresOfUser(subject.under.database.directory(tenant_id), id);
    assert.deepEqual(
      listed.map((store) => store.code),
      sorted,
    );
  });

  test('the revision of a user grows only with a change of the user or a binding', async () => {
    const tenant = await newFilledTenant(subject);
    const [id, other] = [await newUser(subject, tenant), await newUser(subject, tenant)];
    const directory = subject.under.database.directory(tenant);
    const steps: readonly (readonly [changes: boolean, work: (directory: DirectoryWriter) => unknown])[] = [
      [true, (each) => each.updateUser(id, { phone: '1' })],
      [true, (each) => each.replaceUserRole(id, 1n)],
      [true, (each) => each.replaceUserRole(id, 2n)],
      [true, (each) => each.deleteUserRole(id)],
      [true, (each) => each.replaceUserOrg(id, 1n)],
      [true, (each) => each.deleteUserOrg(id)],
      [true, (each) => each.insertUserStore(id, 'A')],
      [true, (each) => each.deleteUserStore(id, 'A')],
      [true, (each) => each.replaceUserStores(id, ['A', 'B'])],
      [false, (each) => each.replaceUserStores(id, ['B', 'A'])],
      [true, (each) => each.replaceUserStores(id, ['B'])],
      [false, (each) => each.lockUser({ id })],
    ];
    let expected = 1n;
    for (const [index, [changes, work]] of steps.entries()) {
      await write(subject, tenant, async (each) => work(each));
      if (changes) expected += 1n;
      assert.equal((await directory.findUser({ id }))?.revision, expected, `step ${index}`);
    }
    assert.equal((await directory.findUser({ id: other }))?.revision, 1n);
  });

  test('unknown store codes are reported in the order given', async () => {
    const tenant = await newFilledTenant(subject);
    await write(subject, tenant, async (directory) => {
      const given = ['x', 'A', 'a', 'y"\\\'', 'B', '🦜', '', ' '];
      assert.deepEqual(await directory.users.listUnknownStores(given), ['x', 'a', 'y"\\\'', '🦜', '', ' ']);
      assert.deepEqual(await directory.users.listUnknownStores(['A', 'E']), []);
      assert.deepEqual(await directory.users.listUnknownStores([]), []);
    });
  });

  test('any sequence of store replacements behaves as on a set', async () => {
    const tenant = await newFilledTenant(subject);
    const sequences = fc.array(fc.array(fc.constantFrom(...storeCodes)), { minLength: 1, maxLength: 6 });
    const law = fc.asyncProperty(sequences, async (sequence) => {
      const id = await newUser(subject, tenant);
      let model = new Set<string>();
      for (const codes of sequence) {
        const next = new Set(codes);
        const told = await write(subject, tenant, (directory) => directory.replaceUserStores(id, codes));
        assert.deepEqual(new Set(told.added), next.difference(model));
        assert.deepEqual(new Set(told.removed), model.difference(next));
        assert.equal(told.added.length, new Set(told.added).size, 'each change is reported once');
        const listed = await listStoresOfUser(subject.under.database.directory(tenant), id);
        assert.deepEqual(
          listed.map((store) => store.code),
          [...next].sort(),
        );
        model = next;
      }
    });
    await fc.assert(law, { numRuns: atScale({ bounded: 20, full: 40 }) });
  });

  test("one user's stores are replaced and nobody else's", async () => {
    const tenant = await newFilledTenant(subject);
    const [one, two] = [await newUser(subject, tenant), await newUser(subject, tenant)];
    await write(subject, tenant, async (directory) => {
      await directory.replaceUserStores(one, ['A', 'B']);
      await directory.replaceUserStores(two, ['A', 'B']);
      await directory.replaceUserStores(one, []);
    });
    const { database } = subject.under;
    assert.equal((await listStoresOfUser(database.directory(tenant), one)).length, 0);
    assert.equal((await listStoresOfUser(database.directory(tenant), two)).length, 2);
  });

  test('three thousand stores are replaced in one write, and listed by code', async () => {
    const tenant_id = await newTenant(subject);
    const id = await newUser(subject, tenant_id);
    const codes = await insertStores(subject, tenant_id, 3000);
    const { added } = await write(subject, tenant_id, (directory) => directory.replaceUserStores(id, codes));
    assert.equal(added.length, 3000);
    const listed = await listStoresOfUser(subject.under.database.directory(tenant_id), id);
    assert.deepEqual(
      listed,
      codes.toSorted().map((code) => ({ code, name: `Store "${code}"`, address: '' })),
    );
  });

  test('very many stores are listed as they were bound at one moment, while they are replaced', async () => {
    const tenant_id = await newTenant(subject);
    const id = await newUser(subject, tenant_id);
    const codes = await insertStores(subject, tenant_id, 4200);
    const halves = [codes.slice(0, 2100), codes.slice(2100)] as const;
    const replace = (half: 0 | 1) =>
      write(subject, tenant_id, (directory) => directory.replaceUserStores(id, halves[half]));
    await replace(0);
    const lists: Promise<StoreRecord[]>[] = [];
    for (const half of [1, 0, 1, 0] as const) {
      const replaced = replace(half);
      for (let list = 0; list < 5; list++) {
        lists.push(listStoresOfUser(subject.under.database.directory(tenant_id), id));
        await nextIteration();
      }
      await replaced;
    }
    const sorted = halves.map((half) => half.toSorted().join());
    for (const listed of await Promise.all(lists)) {
      assert(sorted.includes(listed.map(({ code }) => code).join()), `${listed.length} stores`);
    }
  });

  test('very many stores are read in slices of a thousand, and stores removed or bound meanwhile are left out', async () => {
    const tenant_id = await newTenant(subject);
    const id = await newUser(subject, tenant_id);
    const codes = (await insertStores(subject, tenant_id, 2_400)).toSorted();
    const replace = (count: number) =>
      write(subject, tenant_id, (each) => each.replaceUserStores(id, codes.slice(0, count)));
    const { database, db } = subject.under;
    const directory = database.directory(tenant_id);
    await replace(200);
    assert.deepEqual(await listStoresInSlices(directory, id), await directory.listFewStoresOfUser(id));
    await replace(201);
    assert.equal(await directory.listFewStoresOfUser(id), undefined);
    await replace(2_300);
    const { count, slices } = await directory.openStoresOfUser(id);
    const lost = String(codes[2_250]);
    const lengths: number[] = [];
    const read: string[] = [];
    for await (const slice of slices) {
      lengths.push(slice.length);
      read.push(...slice.map(({ code }) => code));
      if (lengths.length > 1) continue;
      await replace(2_400);
      await write(subject, tenant_id, (each) => each.replaceUserStores(id, codes.slice(0, 1_500)));
      await db.deleteFrom('store').where('tenant_id', '=', tenant_id).where('code', '>=', lost).execute();
    }
    assert.deepEqual([count, lengths], [2_300, [1_000, 1_000, 250]]);
    assert.deepEqual(read, codes.slice(0, 2_250));
  });
}

/** Inserts stores whose codes are not in the order in which they are returned. */
async function insertStores({ under }: Subject, tenant_id: bigint, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, (_, index) => `S${index}`);
  for (let start = 0; start < count; start += 1000) {
    const rows = codes
      .slice(start, start + 1000)
      .map((code) => ({ tenant_id, code, name: `Store "${code}"`, address: '' }));
    await under.db.insertInto('store').values(rows).execute();
  }
  return codes;
}
