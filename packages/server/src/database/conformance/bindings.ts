import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atScale } from '../../../../../scripts/testing/full-scale.ts';
import type { DirectoryWriter } from '../database.ts';
import { newFilledTenant, newTenant, newUser, type Subject, storeCodes, write } from './subject.ts';

export function testBindings(subject: Subject): void {
  test('binding a role returns the replaced one; unbinding returns whether it was bound', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const directory = subject.under.database.directory(tenant);
    const first = { id: 1n, name: 'R1', systemId: 9n, position: 3, description: 'first', code: 'C1' };
    const second = { id: 2n, name: 'R2', systemId: 0n, position: 0, description: '' };
    assert.equal(await write(subject, tenant, (each) => each.replaceUserRole(id, 1n)), undefined);
    assert.deepEqual(await directory.findRoleOfUser(id), first);
    assert.equal(await write(subject, tenant, (each) => each.replaceUserRole(id, 2n)), 1n);
    assert.equal(await write(subject, tenant, (each) => each.replaceUserRole(id, 2n)), 2n);
    assert.deepEqual(await directory.findRoleOfUser(id), second);
    assert.deepEqual((await directory.findUser({ id }))?.role, second);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserRole(id, 1n)), false);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserRole(id, 2n)), true);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserRole(id, 2n)), false);
    assert.equal(await directory.findRoleOfUser(id), undefined);
    assert(!('role' in ((await directory.findUser({ id })) ?? {})));
  });

  test('binding an organization does the same', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const directory = subject.under.database.directory(tenant);
    assert.equal(await write(subject, tenant, (each) => each.replaceUserOrg(id, 1n)), undefined);
    assert.deepEqual((await directory.findUser({ id }))?.org, { id: 1n, name: 'O1' });
    assert.equal(await write(subject, tenant, (each) => each.replaceUserOrg(id, 2n)), 1n);
    assert.deepEqual((await directory.findUser({ id }))?.org, { id: 2n, name: 'O2', parentId: 1n });
    assert.equal(await write(subject, tenant, (each) => each.deleteUserOrg(id, 1n)), false);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserOrg(id, 2n)), true);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserOrg(id, 2n)), false);
    assert(!('org' in ((await directory.findUser({ id })) ?? {})));
  });

  test('roles and organizations exist or not', async () => {
    const tenant = await newFilledTenant(subject);
    await write(subject, tenant, async (directory) => {
      assert.deepEqual([await directory.roleExists(1n), await directory.roleExists(3n)], [true, false]);
      assert.deepEqual([await directory.orgExists(2n), await directory.orgExists(3n)], [true, false]);
    });
  });

  test('a store is bound once, listed with its fields in the order of codes, and unbound once', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const entry = (code: string) => ({ code, name: `Store ${code}`, address: `At ${code}` });
    const results = await write(subject, tenant, async (directory) => [
      await directory.insertUserStore(id, 'C'),
      await directory.insertUserStore(id, 'A'),
      await directory.insertUserStore(id, 'C'),
    ]);
    assert.deepEqual(results, [true, true, false]);
    const listStores = async () => {
      const listed = await subject.under.database.directory(tenant).listStoresOfUser(id);
      return listed.map((store) => ({ ...store }));
    };
    assert.deepEqual(await listStores(), [entry('A'), entry('C')]);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserStore(id, 'A')), true);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserStore(id, 'A')), false);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserStore(id, 'B')), false);
    assert.deepEqual(await listStores(), [entry('C')]);
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
    const listed = await subject.under.database.directory(tenant_id).listStoresOfUser(id);
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
      [false, (each) => each.replaceUserRole(id, 1n)],
      [true, (each) => each.replaceUserRole(id, 2n)],
      [false, (each) => each.deleteUserRole(id, 1n)],
      [true, (each) => each.deleteUserRole(id, 2n)],
      [true, (each) => each.replaceUserOrg(id, 1n)],
      [false, (each) => each.replaceUserOrg(id, 1n)],
      [false, (each) => each.deleteUserOrg(id, 2n)],
      [true, (each) => each.deleteUserOrg(id, 1n)],
      [true, (each) => each.insertUserStore(id, 'A')],
      [false, (each) => each.insertUserStore(id, 'A')],
      [false, (each) => each.deleteUserStore(id, 'B')],
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
      assert.deepEqual(await directory.listUnknownStoreCodes(given), ['x', 'a', 'y"\\\'', '🦜', '', ' ']);
      assert.deepEqual(await directory.listUnknownStoreCodes(['A', 'E']), []);
      assert.deepEqual(await directory.listUnknownStoreCodes([]), []);
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
        const listed = await subject.under.database.directory(tenant).listStoresOfUser(id);
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
    assert.equal((await database.directory(tenant).listStoresOfUser(one)).length, 0);
    assert.equal((await database.directory(tenant).listStoresOfUser(two)).length, 2);
  });

  test('three thousand stores are replaced in one write', async () => {
    const tenant_id = await newTenant(subject);
    const id = await newUser(subject, tenant_id);
    const codes = Array.from({ length: 3000 }, (_, index) => `S${String(index).padStart(5, '0')}`);
    for (let start = 0; start < codes.length; start += 1000) {
      const rows = codes
        .slice(start, start + 1000)
        .map((code) => ({ tenant_id, code, name: '', address: '' }));
      await subject.under.db.insertInto('store').values(rows).execute();
    }
    const { added } = await write(subject, tenant_id, (directory) => directory.replaceUserStores(id, codes));
    assert.equal(added.length, 3000);
    assert.equal((await subject.under.database.directory(tenant_id).listStoresOfUser(id)).length, 3000);
  });
}
