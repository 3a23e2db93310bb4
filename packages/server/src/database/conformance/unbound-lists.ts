import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { DirectoryWriter, UserToSave } from '../database.ts';
import { listStoresOfUser, type Subject } from './subject.ts';

type Step = readonly [what: string, step: (directory: DirectoryWriter) => Promise<unknown>];

/** Tests the lists of users without a binding, on any engine. */
export function testUnboundLists(subject: Subject): void {
  test('a user is listed as unbound exactly while it has no binding, however its bindings changed', async () => {
    const { database } = subject.under;
    const tenant = await database.tenants.insertTenant(randomUUID());
    assert(tenant !== undefined);
    for (const [what, step] of steps()) {
      await database.write(tenant.id, undefined, async (directory) => {
        await step(directory);
        return { result: undefined, audit: { operation: 'test', changes: {} } };
      });
      await checkLists(subject, tenant.id, what);
    }
  });
}

async function checkLists({ under: { database } }: Subject, tenantId: bigint, what: string): Promise<void> {
  const directory = database.directory(tenantId);
  const page = { order: 'id', after: undefined, limit: 100 } as const;
  const { entries } = await directory.lists.listUsers({ filters: {}, ...page });
  const stores = await Promise.all(entries.map(({ id }) => listStoresOfUser(directory, id)));
  const bound = {
    role: entries.map(({ role }) => role),
    org: entries.map(({ org }) => org),
    store: stores.map(([first]) => first),
  };
  for (const unbound of ['role', 'org', 'store'] as const) {
    const expected = entries.filter((_, index) => bound[unbound][index] === undefined);
    for (const filters of [{ unbound }, { unbound, status: 'active' as const, search: 'u' }]) {
      const listed = await directory.lists.listUsers({ filters, ...page });
      assert.deepEqual(listed, { entries: expected }, `without a ${unbound}, after ${what}`);
    }
  }
}

/** Returns every way in which a binding is added or removed. */
function steps(): Step[] {
  const id = async (directory: DirectoryWriter, username: string) =>
    (await directory.findUser({ username }))?.id ?? 0n;
  const of =
    (username: string, work: (directory: DirectoryWriter, id: bigint) => Promise<unknown>) =>
    async (directory: DirectoryWriter) =>
      work(directory, await id(directory, username));
  const u1 = (work: Parameters<typeof of>[1]) => of('u1', work);
  return [
    ['the targets were made', makeTargets],
    [
      'users were made',
      async (directory) => Promise.all(['u1', 'u2'].map((name) => directory.insertUser(name, {}))),
    ],
    ['a role was bound', u1((directory, user) => directory.replaceUserRole(user, 1n))],
    ['another role was bound', u1((directory, user) => directory.replaceUserRole(user, 2n))],
    ['the role was unbound', u1((directory, user) => directory.deleteUserRole(user))],
    ['an organization was bound', u1((directory, user) => directory.replaceUserOrg(user, 1n))],
    ['the organization was unbound', u1((directory, user) => directory.deleteUserOrg(user))],
    ['a store was bound', u1((directory, user) => directory.insertUserStore(user, 'A'))],
    ['a second store was bound', u1((directory, user) => directory.insertUserStore(user, 'B'))],
    ['one of two stores was unbound', u1((directory, user) => directory.deleteUserStore(user, 'A'))],
    ['the last store was unbound', u1((directory, user) => directory.deleteUserStore(user, 'B'))],
    ['stores were replaced', u1((directory, user) => directory.replaceUserStores(user, ['A', 'B']))],
    ['stores were replaced by none', u1((directory, user) => directory.replaceUserStores(user, []))],
    ['users were saved', saveUsers],
    ['saved users were saved again', saveUsersAgain],
    ['a store lost its users', ({ stores }) => stores.unbindUsers('A')],
    ['the other store lost its users', ({ stores }) => stores.unbindUsers('B')],
    ['a role lost its users', ({ roles }) => roles.unbindUsers(1n)],
    ['an organization lost its users', ({ orgs }) => orgs.unbindUsers(1n)],
    ['a user was removed', of('u-some', (directory, user) => directory.users.deleteUser(user))],
  ];
}

async function makeTargets({ roles, orgs, stores }: DirectoryWriter): Promise<void> {
  for (const id of [1n, 2n]) {
    await roles.insert(id, {});
    await orgs.insert(id, {});
  }
  for (const code of ['A', 'B']) await stores.insert(code, {});
}

const nothing = { fields: {}, storesAdded: [], storesRemoved: [] };

async function saveUsers({ users }: DirectoryWriter): Promise<void> {
  const everything = { roleId: 1n, orgId: 1n, storesAdded: ['A', 'B'] };
  await users.saveUsers([
    { ...nothing, username: 'u-none' },
    { ...nothing, username: 'u-some', orgId: 2n, storesAdded: ['A'] },
    { ...nothing, username: 'u-all', ...everything },
  ]);
}

async function saveUsersAgain({ users }: DirectoryWriter): Promise<void> {
  const states = await users.readStates(['u-none', 'u-some', 'u-all']);
  const save = (username: string, changes: Partial<UserToSave>): UserToSave => {
    const existing = states.get(username)?.user;
    assert(existing !== undefined);
    return { ...nothing, username, existing, ...changes };
  };
  await users.saveUsers([
    save('u-none', { roleId: 1n, orgId: 1n, storesAdded: ['B'] }),
    save('u-some', { storesRemoved: ['A'] }),
    save('u-all', { storesRemoved: ['B'] }),
  ]);
}
