import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { testBindingTargets } from './binding-targets-conformance.ts';
import type { Schema } from './kysely/schema.ts';
import { testLists } from './lists-conformance.ts';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  type AuditEvent,
  type DirectoryWriter,
  type Store,
  type UserProfile,
} from './store.ts';
import { testUserManagement } from './user-management-conformance.ts';

/** A store on an empty database of its own, and the ways into it that the tests need beside the store. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Another store on the same database, as a second process has it. */
  readonly second: Store;
  /** A connection of the test's own, to plant rows and to see what was written. */
  readonly db: Kysely<Schema>;
  /** Closes everything that was opened, and removes the database. */
  close(): Promise<void>;
}

const startMs = Date.UTC(2026, 0, 15, 12);

const int64Max = 9223372036854775807n;
const int64Min = -9223372036854775808n;

const everyField: UserProfile = {
  realName: '张伟 🦜',
  nickname: 'N',
  gender: 2,
  email: 'e',
  phone: 'p',
  department: 'd',
  avatar: 'a',
  uniqueCode: 'u',
  extInfo: '{"x":1}',
};

const noField: UserProfile = {
  realName: '',
  nickname: '',
  gender: 0,
  email: '',
  phone: '',
  department: '',
  avatar: '',
  uniqueCode: '',
  extInfo: '',
};

/** What the store itself gives a new user. */
const asInserted = { status: 'active', revision: 1n } as const;

/**
 * Tests everything that `store.ts` promises, for one engine. Every test works in a tenant of its own.
 *
 * @param engine name of the engine, for the report
 * @param open opens a store whose clock is `now`
 */
export function testStore(engine: string, open: (now: () => number) => Promise<StoreUnderTest>): void {
  describe(`the ${engine} store`, () => {
    const clock = { nowMs: startMs };
    const opened: StoreUnderTest[] = [];
    before(async () => {
      opened.push(await open(() => clock.nowMs));
    });
    after(() => Promise.all(opened.map((each) => each.close())));
    const subject: Subject = {
      get under() {
        const [under] = opened;
        assert(under !== undefined, 'the store is open');
        return under;
      },
      clock,
    };
    testUsers(subject);
    testBindings(subject);
    testTenantIsolation(subject);
    testTransactions(subject);
    testClaims(subject);
    testConcurrency(subject);
    testApplications(subject);
    testSettings(subject);
    testLists(subject);
    testBindingTargets(subject);
    testUserManagement(subject);
    test('a closed store rejects the ping, an open one answers it', async () => {
      const other = await open(() => clock.nowMs);
      await other.store.ping();
      await other.close();
      await assert.rejects(other.store.ping());
    });
  });
}

interface Subject {
  readonly under: StoreUnderTest;
  readonly clock: { nowMs: number };
}

async function newTenant({ under }: Subject): Promise<bigint> {
  const tenant = await under.store.applications.insertTenant(randomUUID());
  assert(tenant !== undefined);
  return tenant.id;
}

/** A tenant with two roles, two organizations and the stores A to E. */
async function newFilledTenant(subject: Subject): Promise<bigint> {
  const tenant_id = await newTenant(subject);
  const { db } = subject.under;
  await db
    .insertInto('role')
    .values([
      { tenant_id, id: 1n, name: 'R1', system_id: 9n, position: 3n, description: 'first', code: 'C1' },
      { tenant_id, id: 2n, name: 'R2', system_id: 0n, position: 0n, description: '', code: null },
    ])
    .execute();
  await db
    .insertInto('org')
    .values([
      { tenant_id, id: 1n, name: 'O1', parent_id: null },
      { tenant_id, id: 2n, name: 'O2', parent_id: 1n },
    ])
    .execute();
  await db
    .insertInto('store')
    .values(storeCodes.map((code) => ({ tenant_id, code, name: `Store ${code}`, address: `At ${code}` })))
    .execute();
  return tenant_id;
}

const storeCodes = ['A', 'B', 'C', 'D', 'E'];

const audit: AuditEvent = { operation: 'test', changes: {} };

/** Writes with an audit row that says nothing in particular. */
function write<T>(
  { under }: Subject,
  tenantId: bigint,
  work: (directory: DirectoryWriter) => Promise<T>,
  claim?: AcceptanceClaim,
): Promise<T> {
  return under.store.write(tenantId, claim, async (directory) => ({
    result: await work(directory),
    audit,
  }));
}

async function newUser(subject: Subject, tenantId: bigint, username: string = randomUUID()): Promise<bigint> {
  const id = await write(subject, tenantId, (directory) => directory.insertUser(username, {}));
  assert(id !== undefined);
  return id;
}

function newClaim({ clock }: Subject): AcceptanceClaim {
  return { signature: randomBytes(32), expiresAtSeconds: Math.floor(clock.nowMs / 1000) + 60 };
}

function testUsers(subject: Subject): void {
  test('an inserted user is found by id and by username, with every field as it was given', async () => {
    const tenant = await newTenant(subject);
    const username = 'name 🦜';
    const id = await write(subject, tenant, (directory) => directory.insertUser(username, everyField));
    const directory = subject.under.store.directory(tenant);
    const expected = { id, username, ...everyField, ...asInserted };
    assert.deepEqual(await directory.findUser({ id: id ?? 0n }), expected);
    assert.deepEqual(await directory.findUser({ username }), expected);
    assert.equal(await directory.userExists(id ?? 0n), true);
  });

  test('fields that were not given are empty texts and 0, and there is no password', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant, 'sparse');
    const user = await subject.under.store.directory(tenant).findUser({ id });
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
    const user = await subject.under.store.directory(tenant).findUser({ username: 'u' });
    assert(!Object.values(user ?? {}).some((value) => String(value).includes('argon2id')));
  });

  test('an unknown user is not found, by any id and any username', async () => {
    const directory = subject.under.store.directory(await newTenant(subject));
    for (const id of [0n, -1n, int64Min, int64Max]) {
      assert.equal(await directory.findUser({ id }), undefined);
      assert.equal(await directory.userExists(id), false);
      assert.equal(await directory.findRoleOfUser(id), undefined);
      assert.deepEqual(await directory.listStoresOfUser(id), []);
    }
    assert.equal(await directory.findUser({ username: 'nobody' }), undefined);
  });

  test('a taken username inserts nothing and answers undefined; another case is another username', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant, 'taken');
    const again = await write(subject, tenant, (directory) =>
      directory.insertUser('taken', { realName: 'Second' }),
    );
    assert.equal(again, undefined);
    const user = await subject.under.store.directory(tenant).findUser({ id });
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
      const before = await subject.under.store.directory(tenant).findUser({ id });
      await write(subject, tenant, (directory) => directory.updateUser(id, { [field]: value }));
      const now = await subject.under.store.directory(tenant).findUser({ id });
      assert.deepEqual(now, { ...before, [field]: value, revision: (before?.revision ?? 0n) + 1n });
    }
  });

  test('a user is locked by id and by username, and read as it is within the write', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant, 'locked');
    await write(subject, tenant, async (directory) => {
      await directory.updateUser(id, { phone: '1' });
      const expected = { id, username: 'locked', ...noField, ...asInserted, phone: '1', revision: 2n };
      assert.deepEqual(await directory.lockUser({ id }), expected);
      assert.deepEqual(await directory.lockUser({ username: 'locked' }), expected);
      assert.deepEqual(await directory.findUser({ id }), expected);
      assert.equal(await directory.lockUser({ id: id + 1_000_000n }), undefined);
      assert.equal(await directory.lockUser({ username: 'nobody' }), undefined);
    });
  });

  test('ids at the ends of int64 and beyond 2^53 keep every digit', async () => {
    const tenant_id = await newTenant(subject);
    const { db, store } = subject.under;
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
        assert.equal(await directory.roleExists(id), true);
        assert.equal(await directory.orgExists(id), true);
        await directory.replaceUserRole(id, id);
        await directory.replaceUserOrg(id, id);
      });
      const user = await store.directory(tenant_id).findUser({ id });
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
        assert.equal(await directory.roleExists(neighbour), false);
        assert.equal(await directory.orgExists(neighbour), false);
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

function testBindings(subject: Subject): void {
  test('a role replaces the one before and tells which that was; unbinding tells whether it was bound', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const directory = subject.under.store.directory(tenant);
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

  test('an organization replaces the one before likewise', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const directory = subject.under.store.directory(tenant);
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
      const listed = await subject.under.store.directory(tenant).listStoresOfUser(id);
      return listed.map((store) => ({ ...store }));
    };
    assert.deepEqual(await listStores(), [entry('A'), entry('C')]);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserStore(id, 'A')), true);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserStore(id, 'A')), false);
    assert.equal(await write(subject, tenant, (each) => each.deleteUserStore(id, 'B')), false);
    assert.deepEqual(await listStores(), [entry('C')]);
  });

  test('codes are listed by code point, whatever their script', async () => {
    const tenant_id = await newTenant(subject);
    const id = await newUser(subject, tenant_id);
    const sorted = ['10', '9', 'A', 'a', 'b', 'é', '店', '\uffe6', '🏬'];
    await subject.under.db
      .insertInto('store')
      .values(sorted.toReversed().map((code) => ({ tenant_id, code, name: '', address: '' })))
      .execute();
    await write(subject, tenant_id, (directory) => directory.replaceUserStores(id, sorted.toReversed()));
    const listed = await subject.under.store.directory(tenant_id).listStoresOfUser(id);
    assert.deepEqual(
      listed.map((store) => store.code),
      sorted,
    );
  });

  test('the revision of a user grows with every change of it or of a binding, and with nothing else', async () => {
    const tenant = await newFilledTenant(subject);
    const [id, other] = [await newUser(subject, tenant), await newUser(subject, tenant)];
    const directory = subject.under.store.directory(tenant);
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

  test('unknown store codes are told in the order given', async () => {
    const tenant = await newFilledTenant(subject);
    await write(subject, tenant, async (directory) => {
      const given = ['x', 'A', 'a', 'y"\\\'', 'B', '🦜', '', ' '];
      assert.deepEqual(await directory.listUnknownStoreCodes(given), ['x', 'a', 'y"\\\'', '🦜', '', ' ']);
      assert.deepEqual(await directory.listUnknownStoreCodes(['A', 'E']), []);
      assert.deepEqual(await directory.listUnknownStoreCodes([]), []);
    });
  });

  test('replacing stores behaves as a set does, over any sequence of replacements', async () => {
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
        assert.equal(told.added.length, new Set(told.added).size, 'each change is told once');
        const listed = await subject.under.store.directory(tenant).listStoresOfUser(id);
        assert.deepEqual(
          listed.map((store) => store.code),
          [...next].sort(),
        );
        model = next;
      }
    });
    await fc.assert(law, { numRuns: 40 });
  });

  test("one user's stores are replaced and nobody else's", async () => {
    const tenant = await newFilledTenant(subject);
    const [one, two] = [await newUser(subject, tenant), await newUser(subject, tenant)];
    await write(subject, tenant, async (directory) => {
      await directory.replaceUserStores(one, ['A', 'B']);
      await directory.replaceUserStores(two, ['A', 'B']);
      await directory.replaceUserStores(one, []);
    });
    const { store } = subject.under;
    assert.equal((await store.directory(tenant).listStoresOfUser(one)).length, 0);
    assert.equal((await store.directory(tenant).listStoresOfUser(two)).length, 2);
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
    assert.equal((await subject.under.store.directory(tenant_id).listStoresOfUser(id)).length, 3000);
  });
}

function testTenantIsolation(subject: Subject): void {
  test("nothing of another tenant's is seen, bound, changed or removed, by any method", async () => {
    const [theirs, ours] = [await newFilledTenant(subject), await newTenant(subject)];
    const id = await newUser(subject, theirs, 'their.user');
    await write(subject, theirs, async (directory) => {
      await directory.replaceUserRole(id, 1n);
      await directory.replaceUserOrg(id, 1n);
      await directory.replaceUserStores(id, ['A', 'B']);
    });
    const before = await wholeUser(subject, theirs, id);

    const reader = subject.under.store.directory(ours);
    assert.equal(await reader.findUser({ id }), undefined);
    assert.equal(await reader.findUser({ username: 'their.user' }), undefined);
    assert.equal(await reader.userExists(id), false);
    assert.equal(await reader.findRoleOfUser(id), undefined);
    assert.deepEqual(await reader.listStoresOfUser(id), []);
    await write(subject, ours, async (directory) => {
      assert.equal(await directory.lockUser({ id }), undefined);
      assert.equal(await directory.lockUser({ username: 'their.user' }), undefined);
      assert.equal(await directory.findUser({ id }), undefined);
      assert.equal(await directory.roleExists(1n), false);
      assert.equal(await directory.orgExists(1n), false);
      assert.deepEqual(await directory.listUnknownStoreCodes(['A', 'B']), ['A', 'B']);
      await directory.updateUser(id, { realName: 'Stolen' });
      assert.equal(await directory.deleteUserRole(id, 1n), false);
      assert.equal(await directory.deleteUserOrg(id, 1n), false);
      assert.equal(await directory.deleteUserStore(id, 'A'), false);
      assert.deepEqual(await directory.replaceUserStores(id, []), { added: [], removed: [] });
    });
    const intrusions: ((directory: DirectoryWriter) => Promise<unknown>)[] = [
      (directory) => directory.replaceUserRole(id, 1n),
      (directory) => directory.replaceUserOrg(id, 1n),
      (directory) => directory.insertUserStore(id, 'A'),
      (directory) => directory.replaceUserStores(id, ['A']),
    ];
    for (const intrusion of intrusions) await assert.rejects(write(subject, ours, intrusion));
    assert.deepEqual(await wholeUser(subject, theirs, id), before);
  });

  test("our own user is bound to nothing of another tenant's", async () => {
    const [, ours] = [await newFilledTenant(subject), await newTenant(subject)];
    const id = await newUser(subject, ours);
    const intrusions: ((directory: DirectoryWriter) => Promise<unknown>)[] = [
      (directory) => directory.replaceUserRole(id, 1n),
      (directory) => directory.replaceUserOrg(id, 1n),
      (directory) => directory.insertUserStore(id, 'A'),
      (directory) => directory.replaceUserStores(id, ['A']),
    ];
    for (const intrusion of intrusions) await assert.rejects(write(subject, ours, intrusion));
  });

  test('of roles, organizations and stores with the same id or code, each tenant sees its own', async () => {
    const [one, two] = [await newFilledTenant(subject), await newFilledTenant(subject)];
    const { db, store } = subject.under;
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
      const user = await store.directory(tenant).findUser({ id });
      const [bound] = await store.directory(tenant).listStoresOfUser(id);
      names.push([user?.role?.name, user?.org?.name, bound?.name]);
    }
    assert.deepEqual(names, [
      ['R1', 'O1', 'Store A'],
      ['Two', 'Two', 'Two'],
    ]);
  });
}

async function wholeUser({ under }: Subject, tenantId: bigint, id: bigint): Promise<unknown> {
  const directory = under.store.directory(tenantId);
  return [await directory.findUser({ id }), await directory.listStoresOfUser(id)];
}

async function auditRows({ under }: Subject, tenantId: bigint) {
  return under.db
    .selectFrom('audit_event')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
}

class Refusal extends Error {}

function testTransactions(subject: Subject): void {
  test('a write returns its result and leaves one audit row with all that it was told', async () => {
    const tenant = await newTenant(subject);
    const result = await subject.under.store.write(tenant, undefined, async (directory) => {
      const id = await directory.insertUser('audited', {});
      const event = { appId: 'app', requestId: 'req-1', operation: 'create-user', userId: id ?? 0n };
      return { result: { id }, audit: { ...event, changes: { big: int64Max, text: '🦜', none: null } } };
    });
    const [created, row, ...more] = await auditRows(subject, tenant);
    assert.equal(created?.operation, 'tenant create');
    assert.deepEqual(more, []);
    const { id: _, changes, ...rest } = row ?? { id: 0n, changes: '' };
    assert.equal(changes, '{"big":9223372036854775807,"text":"🦜","none":null}');
    assert.deepEqual(rest, {
      tenant_id: tenant,
      at: BigInt(subject.clock.nowMs),
      app_id: 'app',
      request_id: 'req-1',
      operation: 'create-user',
      user_id: result.id,
    });
  });

  test('what an audit event does not name is null in its row', async () => {
    const tenant = await newTenant(subject);
    await write(subject, tenant, async () => undefined);
    const row = (await auditRows(subject, tenant)).at(-1);
    assert.deepEqual([row?.app_id, row?.request_id, row?.user_id], [null, null, null]);
  });

  test('work that throws is undone with its audit row and its claim, and its error comes out as it was', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const before = [await wholeUser(subject, tenant, id), await auditRows(subject, tenant)];
    const claim = { ...newClaim(subject), nonce: { appId: 'app', value: randomUUID() } };
    const refusal = new Refusal('no');
    const failing = write(
      subject,
      tenant,
      async (directory) => {
        await directory.insertUser('undone', {});
        await directory.updateUser(id, everyField);
        await directory.replaceUserRole(id, 1n);
        await directory.replaceUserOrg(id, 1n);
        await directory.replaceUserStores(id, ['A', 'B']);
        throw refusal;
      },
      claim,
    );
    await assert.rejects(failing, (error) => error === refusal);
    assert.deepEqual([await wholeUser(subject, tenant, id), await auditRows(subject, tenant)], before);
    const directory = subject.under.store.directory(tenant);
    assert.equal(await directory.findUser({ username: 'undone' }), undefined);
    await write(subject, tenant, async () => undefined, claim);
  });

  test('an audit row that cannot be written undoes the work', async () => {
    const tenant = await newTenant(subject);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const failing = subject.under.store.write(tenant, undefined, async (directory) => {
      await directory.insertUser('undone', {});
      return { result: undefined, audit: { operation: 'test', changes: cyclic } };
    });
    await assert.rejects(failing, TypeError);
    assert.equal(await subject.under.store.directory(tenant).findUser({ username: 'undone' }), undefined);
  });

  test('a write for a tenant that does not exist is refused', async () => {
    const creation = write(subject, int64Max, (directory) => directory.insertUser('u', {}));
    await assert.rejects(creation);
  });
}

function testClaims(subject: Subject): void {
  test('a claim is made once: the second write is told so, runs nothing and leaves nothing', async () => {
    const tenant = await newTenant(subject);
    const claim = newClaim(subject);
    await write(subject, tenant, (directory) => directory.insertUser('first', {}), claim);
    const before = await auditRows(subject, tenant);
    let ran = false;
    const second = write(
      subject,
      tenant,
      async (directory) => {
        ran = true;
        return directory.insertUser('second', {});
      },
      claim,
    );
    await assert.rejects(second, AlreadyAcceptedError);
    assert.equal(ran, false);
    assert.deepEqual(await auditRows(subject, tenant), before);
  });

  test('of many copies at once, over two stores, exactly one takes effect', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant);
    const claim = newClaim(subject);
    const other = subject.under.second;
    const copies = Array.from({ length: 10 }, (_, index) =>
      write(
        { ...subject, under: { ...subject.under, store: index % 2 === 0 ? subject.under.store : other } },
        tenant,
        async (directory) => {
          const user = await directory.lockUser({ id });
          await directory.updateUser(id, { phone: `${user?.phone}x` });
        },
        claim,
      ),
    );
    const outcomes = await Promise.allSettled(copies);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refusals.length, 9);
    assert(refusals.every(({ reason }) => reason instanceof AlreadyAcceptedError));
    assert.equal((await subject.under.store.directory(tenant).findUser({ id }))?.phone, 'x');
  });

  test('another signature is another claim, and no claim is never refused', async () => {
    const tenant = await newTenant(subject);
    await write(subject, tenant, async () => undefined, newClaim(subject));
    await write(subject, tenant, async () => undefined, newClaim(subject));
    await write(subject, tenant, async () => undefined);
    await write(subject, tenant, async () => undefined);
  });

  test('a nonce is claimed once for an application, by reads and writes alike', async () => {
    const tenant = await newTenant(subject);
    const { store } = subject.under;
    const value = randomUUID();
    const claimOf = (appId: string) => ({ ...newClaim(subject), nonce: { appId, value } });
    const { expiresAtSeconds, nonce } = claimOf('one');
    await store.claim({ expiresAtSeconds, nonce });
    await assert.rejects(store.claim({ expiresAtSeconds, nonce }), AlreadyAcceptedError);
    const writing = write(subject, tenant, async () => undefined, claimOf('one'));
    await assert.rejects(writing, AlreadyAcceptedError);
    await write(subject, tenant, async () => undefined, claimOf('two'));
    await assert.rejects(store.claim(claimOf('two')), AlreadyAcceptedError);
  });

  test('a refused nonce leaves no claim of the signature that came with it', async () => {
    const tenant = await newTenant(subject);
    const nonce = { appId: 'app', value: randomUUID() };
    const claim = newClaim(subject);
    await subject.under.store.claim({ expiresAtSeconds: claim.expiresAtSeconds, nonce });
    const refused = write(subject, tenant, async () => undefined, { ...claim, nonce });
    await assert.rejects(refused, AlreadyAcceptedError);
    await write(subject, tenant, async () => undefined, claim);
  });

  test('a nonce is free again once its time is over, and not in its last second', async () => {
    const { under, clock } = subject;
    const nowMs = clock.nowMs;
    const expiresAtSeconds = Math.floor(nowMs / 1000) + 60;
    const claim = { expiresAtSeconds, nonce: { appId: 'app', value: randomUUID() } };
    await under.store.claim(claim);
    clock.nowMs = expiresAtSeconds * 1000;
    await assert.rejects(under.store.claim(claim), AlreadyAcceptedError);
    clock.nowMs = (expiresAtSeconds + 1) * 1000;
    await under.store.claim({ ...claim, expiresAtSeconds: expiresAtSeconds + 61 });
    await assert.rejects(under.store.claim(claim), AlreadyAcceptedError);
    clock.nowMs = nowMs;
  });

  test('claims that expired before a time are forgotten and counted, and no others', async () => {
    const tenant = await newTenant(subject);
    const { store } = subject.under;
    const at = (expiresAtSeconds: number) => ({ signature: randomBytes(32), expiresAtSeconds });
    const nonceAt = (expiresAtSeconds: number) => ({
      nonce: { appId: 'app', value: randomUUID() },
      expiresAtSeconds,
    });
    const [old, edge] = [at(999), at(1000)];
    for (const claim of [old, edge]) await write(subject, tenant, async () => undefined, claim);
    for (const claim of [nonceAt(998), nonceAt(1000)]) await store.claim(claim);
    assert.equal(await store.forgetClaims(1000), 2);
    assert.equal(await store.forgetClaims(1000), 0);
    await write(subject, tenant, async () => undefined, old);
    await assert.rejects(
      write(subject, tenant, async () => undefined, edge),
      AlreadyAcceptedError,
    );
    assert.equal(await store.forgetClaims(1001), 3);
  });
}

function testConcurrency(subject: Subject): void {
  test('writes that lock a user and build on what they read lose no update, over two stores', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant);
    const stores = [subject.under.store, subject.under.second];
    const increments = Array.from({ length: 30 }, (_, index) =>
      stores[index % 2]?.write(tenant, undefined, async (directory) => {
        const user = await directory.lockUser({ id });
        await directory.updateUser(id, { phone: String(Number(user?.phone) + 1) });
        return { result: undefined, audit };
      }),
    );
    await Promise.all(increments);
    assert.equal((await subject.under.store.directory(tenant).findUser({ id }))?.phone, '30');
  });

  test('of insertions of one username at once, over two stores, one gets an id', async () => {
    const tenant = await newTenant(subject);
    const stores = [subject.under.store, subject.under.second];
    const insertions = Array.from({ length: 10 }, (_, index) =>
      stores[index % 2]?.write(tenant, undefined, async (directory) => ({
        result: await directory.insertUser('race', {}),
        audit,
      })),
    );
    const ids = (await Promise.all(insertions)).filter((id) => id !== undefined);
    assert.equal(ids.length, 1);
  });

  test("replacements of one user's stores at once end as one of them, its fields with it", async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const stores = [subject.under.store, subject.under.second];
    const sets = [['A'], ['B', 'C'], [], ['C', 'D', 'E'], ['A', 'E'], ['D']];
    const replacements = sets.map((codes, index) =>
      stores[index % 2]?.write(tenant, undefined, async (directory) => {
        await directory.lockUser({ id });
        await directory.updateUser(id, { phone: String(index) });
        await directory.replaceUserStores(id, codes);
        return { result: undefined, audit };
      }),
    );
    await Promise.all(replacements);
    const directory = subject.under.store.directory(tenant);
    const winner = Number((await directory.findUser({ id }))?.phone);
    const codes = (await directory.listStoresOfUser(id)).map((store) => store.code);
    assert.deepEqual(codes, sets[winner]);
  });

  test('a write that fails among others at once does not hurt them', async () => {
    const tenant = await newTenant(subject);
    const writes = Array.from({ length: 20 }, (_, index) =>
      write(subject, tenant, async (directory) => {
        await directory.insertUser(`among.${index}`, {});
        if (index % 3 === 0) throw new Refusal(String(index));
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    const directory = subject.under.store.directory(tenant);
    for (const [index, outcome] of outcomes.entries()) {
      const user = await directory.findUser({ username: `among.${index}` });
      assert.equal(outcome.status, index % 3 === 0 ? 'rejected' : 'fulfilled');
      assert.equal(user !== undefined, index % 3 !== 0);
    }
  });

  test('what one store wrote, another reads at once', async () => {
    const tenant = await newTenant(subject);
    const other = subject.under.second;
    const id = await newUser(subject, tenant);
    assert.equal(await other.directory(tenant).userExists(id), true);
  });
}

function testApplications(subject: Subject): void {
  const applications = () => subject.under.store.applications;
  const sealed = () => Uint8Array.from(randomBytes(40));

  async function newApplication(tenantId: bigint) {
    const application = {
      appId: randomUUID(),
      tenantId,
      name: 'N',
      scope: 'write' as const,
      sealed: sealed(),
    };
    assert.equal(await applications().insertApplication(application), true);
    return application;
  }

  async function secretsOf(appId: string) {
    const secrets = (await applications().findApplication(appId))?.secrets ?? [];
    return secrets.map(({ id: _, ...secret }) => ({ ...secret, sealed: Uint8Array.from(secret.sealed) }));
  }

  test('an application is found and listed with its tenant and its first secret', async () => {
    const tenantId = await newTenant(subject);
    const { appId, name, scope, sealed } = await newApplication(tenantId);
    const found = await applications().findApplication(appId);
    const { secrets: _, tenantName, ...rest } = found ?? { secrets: [], tenantName: '' };
    const createdAtMs = subject.clock.nowMs;
    assert.deepEqual(rest, { appId, tenantId, name, scope, status: 'active', createdAtMs });
    assert.equal((await applications().findTenant(tenantName))?.id, tenantId);
    assert.deepEqual(await secretsOf(appId), [{ sealed, createdAtMs }]);
    const listed = await applications().listApplications();
    assert.deepEqual(
      listed.find((application) => application.appId === appId),
      found,
    );
    assert.equal(await applications().findApplication('unknown'), undefined);
  });

  test('an APPID is taken for every tenant, and the second application changes nothing', async () => {
    const first = await newApplication(await newTenant(subject));
    const tenantId = await newTenant(subject);
    const before = [await applications().revision(), await applications().findApplication(first.appId)];
    const second = { ...first, tenantId, name: 'Second', sealed: sealed() };
    assert.equal(await applications().insertApplication(second), false);
    assert.deepEqual(
      [await applications().revision(), await applications().findApplication(first.appId)],
      before,
    );
  });

  test('a rotation gives the secret before an end; both are there, the older one first', async () => {
    const { appId, sealed: first } = await newApplication(await newTenant(subject));
    const createdAtMs = subject.clock.nowMs;
    const second = sealed();
    await applications().addSecret(appId, second, createdAtMs + 5000);
    assert.deepEqual(await secretsOf(appId), [
      { sealed: first, createdAtMs, expiresAtMs: createdAtMs + 5000 },
      { sealed: second, createdAtMs },
    ]);
  });

  test('rotated again and again, an application has at most two secrets, the two newest', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const added = [sealed(), sealed(), sealed()];
    for (const each of added) await applications().addSecret(appId, each, subject.clock.nowMs + 5000);
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => secret.sealed),
      added.slice(1),
    );
  });

  test('a rotation drops a secret that has ended', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const { clock } = subject;
    await applications().addSecret(appId, sealed(), clock.nowMs);
    const [second, third] = [(await secretsOf(appId)).at(-1)?.sealed, sealed()];
    clock.nowMs += 1;
    await applications().addSecret(appId, third, clock.nowMs + 5000);
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => secret.sealed),
      [second, third],
    );
    clock.nowMs -= 1;
  });

  test('a secret for an application that does not exist is refused', async () => {
    await assert.rejects(applications().addSecret('unknown', sealed(), subject.clock.nowMs));
    assert.equal(await applications().findApplication('unknown'), undefined);
  });

  test('an application is revoked once and stays known', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    assert.equal(await applications().revokeApplication(appId), true);
    assert.equal(await applications().revokeApplication(appId), false);
    assert.equal(await applications().revokeApplication('unknown'), false);
    assert.equal((await applications().findApplication(appId))?.status, 'revoked');
  });

  test('the revision grows with an application, a rotation and a revocation, for every store', async () => {
    const tenantId = await newTenant(subject);
    const other = subject.under.second;
    const revisions = [await other.applications.revision()];
    const { appId } = await newApplication(tenantId);
    revisions.push(await other.applications.revision());
    await applications().addSecret(appId, sealed(), subject.clock.nowMs + 5000);
    revisions.push(await other.applications.revision());
    await applications().revokeApplication(appId);
    revisions.push(await other.applications.revision());
    assert.deepEqual(
      revisions,
      [...new Set(revisions)].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  test('when a secret was last used is written down, for each secret by itself', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    await applications().addSecret(appId, sealed(), subject.clock.nowMs + 5000);
    const [first] = (await applications().findApplication(appId))?.secrets ?? [];
    await applications().recordSecretsUsed(
      new Map([
        [first?.id ?? 0n, 1234],
        [int64Max, 5678],
      ]),
    );
    await applications().recordSecretsUsed(new Map());
    const used = (await secretsOf(appId)).map((secret) => secret.lastUsedAtMs);
    assert.deepEqual(used, [1234, undefined]);
  });

  test('each change of an application leaves an audit row of its tenant, without the secret', async () => {
    const tenant = await newTenant(subject);
    const { appId } = await newApplication(tenant);
    await applications().addSecret(appId, sealed(), subject.clock.nowMs + 5000);
    await applications().revokeApplication(appId);
    const rows = await auditRows(subject, tenant);
    assert.deepEqual(
      rows.map((row) => [row.operation, row.app_id, JSON.parse(row.changes)]),
      [
        ['tenant create', null, { name: JSON.parse(rows[0]?.changes ?? '').name }],
        ['app create', null, { app_id: appId, name: 'N', scope: 'write' }],
        [
          'app rotate',
          null,
          {
            app_id: appId,
            old_secret_expires_at: new Date(subject.clock.nowMs + 5000).toISOString(),
          },
        ],
        ['app revoke', null, { app_id: appId }],
      ],
    );
  });

  test('a tenant is inserted once, found by its name and listed', async () => {
    const name = `Tenant 🦜 ${randomUUID()}`;
    const tenant = await applications().insertTenant(name);
    assert.deepEqual(tenant, { id: tenant?.id, name, createdAtMs: subject.clock.nowMs });
    assert.equal(await applications().insertTenant(name), undefined);
    assert.deepEqual(await applications().findTenant(name), tenant);
    assert.equal(await applications().findTenant('unknown'), undefined);
    const listed = await applications().listTenants();
    assert.deepEqual(
      listed.filter((each) => each.name === name),
      [tenant],
    );
  });
}

function testSettings(subject: Subject): void {
  test('a setting keeps its first value, also of two that are kept at once', async () => {
    const { applications } = subject.under.store;
    const other = subject.under.second.applications;
    const name = randomUUID();
    assert.equal(await applications.readSetting(name), undefined);
    const kept = await Promise.all([
      applications.keepSetting(name, 'one'),
      other.keepSetting(name, 'two'),
      applications.keepSetting(name, 'three'),
    ]);
    assert.equal(new Set(kept).size, 1);
    assert.equal(await applications.readSetting(name), kept[0]);
  });
}
