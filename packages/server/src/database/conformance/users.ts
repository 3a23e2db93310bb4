import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asInserted,
  everyField,
  int64Max,
  int64Min,
  listStoresOfUser,
  newTenant,
  newUser,
  noField,
  type Subject,
  write,
} from './subject.ts';

export function testUsers(subject: Subject): void {
  test('an inserted user is found by id and by username, with every field as it was given', async () => {
    const tenant = await newTenant(subject);
    const username = 'name 🦜';
    const id = await write(subject, tenant, (directory) => directory.insertUser(username, everyField));
    const directory = subject.under.database.directory(tenant);
    const expected = { id, username, ...everyField, ...asInserted };
    assert.deepEqual(await directory.findUser({ id: id ?? 0n }), expected);
    assert.deepEqual(await directory.findUser({ username }), expected);
    assert.equal(await directory.userExists(id ?? 0n), true);
  });

  test('fields that were not given are empty strings and 0, and there is no password', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant, 'sparse');
    const user = await subject.under.database.directory(tenant).findUser({ id });
    assert.deepEqual(user, { id, username: 'sparse', ...noField, ...asInserted });
    assert.equal(await storedHash(subject, id), null);
  });

  test('the hash of a password is stored and never read back', async () => {
    const tenant = await newTenant(subject);
    const id = await write(subject, tenant, (directory) =>
      directory.insertUser('u', { passwordHash: '$argon2id$one' }),
    );
    assert.equal(await storedHash(subject, id ?? 0n), '$argon2id$one');
    await write(subject, tenant, (directory) =>
      directory.updateUser(id ?? 0n, { passwordHash: '$argon2id$two' }),
    );
    assert.equal(await storedHash(subject, id ?? 0n), '$argon2id$two');
    const user = await subject.under.database.directory(tenant).findUser({ username: 'u' });
    assert(!Object.values(user ?? {}).some((value) => String(value).includes('argon2id')));
  });

  test('an unknown user is not found, by any id and any username', async () => {
    const directory = subject.under.database.directory(await newTenant(subject));
    for (const id of [0n, -1n, int64Min, int64Max]) {
      assert.equal(await directory.findUser({ id }), undefined);
      assert.equal(await directory.userExists(id), false);
      assert.equal(await directory.findRoleOfUser(id), undefined);
      assert.deepEqual(await listStoresOfUser(directory, id), []);
    }
    assert.equal(await directory.findUser({ username: 'nobody' }), undefined);
  });

  test('a taken username inserts nothing and returns undefined; a different case is a different username', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant, 'taken');
    const again = await write(subject, tenant, (directory) =>
      directory.insertUser('taken', { realName: 'Second' }),
    );
    assert.equal(again, undefined);
    const user = await subject.under.database.directory(tenant).findUser({ id });
    assert.equal(user?.realName, '');
    await newUser(subject, tenant, 'Taken');
    await newUser(subject, tenant, 'taken ');
  });

  test('a username is free in another tenant, and ids are unique over all tenants', async () => {
    const [one, two] = [await newTenant(subject), await newTenant(subject)];
    const ids = [
      await newUser(subject, one, 'same'),
      await newUser(subject, two, 'same'),
      await newUser(subject, one),
    ];
    assert.equal(new Set(ids).size, 3);
  });

  test('an update changes the fields given and no other', async () => {
    const tenant = await newTenant(subject);
    const id = await write(subject, tenant, (directory) => directory.insertUser('u', everyField));
    assert(id !== undefined);
    for (const [field, value] of Object.entries({ ...noField, gender: 1, realName: 'Changed' })) {
      const before = await subject.under.database.directory(tenant).findUser({ id });
      await write(subject, tenant, (directory) => directory.updateUser(id, { [field]: value }));
      const now = await subject.under.database.directory(tenant).findUser({ id });
      assert.deepEqual(now, { ...before, [field]: value, revision: (before?.revision ?? 0n) + 1n });
    }
  });

  test('a user is locked by id and by username, and read in its current state within the write', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant, 'locked');
    await write(subject, tenant, async (directory) => {
      await directory.updateUser(id, { phone: '1' });
      const expected = { id, username: 'locked', ...noField, ...asInserted, phone: '1', revision: 2n };
      assert.deepEqual(await directory.lockUser({ id }), { ...expected, hasPassword: false });
      assert.deepEqual(await directory.findUser({ id }), expected);
      await directory.updateUser(id, { passwordHash: '$argon2id$one' });
      const later = { ...expected, revision: 3n, hasPassword: true };
      assert.deepEqual(await directory.lockUser({ id }), later);
      assert.deepEqual(await directory.lockUser({ username: 'locked' }), later);
      assert.equal(await directory.lockUser({ id: id + 1_000_000n }), undefined);
      assert.equal(await directory.lockUser({ username: 'nobody' }), undefined);
    });
  });

  test('ids at the ends of int64 and beyond 2^53 keep every digit', async () => {
    const tenant_id = await newTenant(subject);
    const { db, database } = subject.under;
    const ids = [int64Min, -9007199254740993n, 9007199254740993n, int64Max];
    const [template] = await db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', await newUser(subject, tenant_id))
      .execute();
    assert(template !== undefined);
    await db
      .insertInto('user')
      .values(ids.map((id) => ({ ...template, id, username: `u${id}` })))
      .execute();
    const role = { system_id: int64Max, position: 2147483647n, name: '', description: '', code: null };
    await db
      .insertInto('role')
      .values(ids.map((id) => ({ tenant_id, id, ...role })))
      .execute();
    await db
      .insertInto('org')
      .values(ids.map((id) => ({ tenant_id, id, name: '', parent_id: int64Min })))
      .execute();
    for (const id of ids) {
      await write(subject, tenant_id, async (directory) => {
        await directory.replaceUserRole(id, id);
        await directory.replaceUserOrg(id, id);
        assert.deepEqual(await directory.readRoleBinding(id, id), { exists: true, current: id });
        assert.deepEqual(await directory.readOrgBinding(id, id), { exists: true, current: id });
      });
      const user = await database.directory(tenant_id).findUser({ id });
      assert.equal(user?.id, id);
      assert.deepEqual(user.role, {
        id,
        name: '',
        systemId: int64Max,
        position: 2147483647,
        description: '',
      });
      assert.deepEqual(user.org, { id, name: '', parentId: int64Min });
    }
    await write(subject, tenant_id, async (directory) => {
      for (const neighbour of [int64Min + 1n, 9007199254740992n, int64Max - 1n]) {
        assert.deepEqual(await directory.readRoleBinding(neighbour, neighbour), { exists: false });
        assert.deepEqual(await directory.readOrgBinding(neighbour, neighbour), { exists: false });
        assert.equal(await directory.lockUser({ id: neighbour }), undefined);
      }
    });
  });
}

async function storedHash({ under }: Subject, id: bigint): Promise<string | null | undefined> {
  const row = await under.db
    .selectFrom('user')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.password_hash;
}
