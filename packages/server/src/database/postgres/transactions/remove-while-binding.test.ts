import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient, untilLocked, untilRow } from '../../../../test/test-postgres.ts';
import type { Database, DirectoryWriter } from '../../database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';

/** Event orders that need an engine with several concurrent writers. */

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const options = { ...patient, url };
const [binder, remover] = [await openPostgresDatabase(options), await openPostgresDatabase(options)];
const { db: observer } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
after(async () => {
  await observer.destroy();
  await Promise.all([binder.close(), remover.close()]);
  await postgres.stop();
});

const tenant = await binder.tenants.insertTenant('one');
assert(tenant !== undefined);
const tenantId = tenant.id;

function write<T>(database: Database, work: (directory: DirectoryWriter) => Promise<T>): Promise<T> {
  return database.write(tenantId, undefined, async (directory) => ({
    result: await work(directory),
    audit: { operation: 'test', changes: {} },
  }));
}

async function newUser(username: string): Promise<bigint> {
  const id = await write(binder, (directory) => directory.insertUser(username, {}));
  assert(id !== undefined);
  return id;
}

const nobodyWaits = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' having count(*) = 0`;

class Refusal extends Error {}

await write(binder, async ({ roles, orgs, stores }) => {
  await roles.insert(2n, {});
  await orgs.insert(2n, {});
  await stores.insert('B', {});
});

interface Binding {
  readonly name: string;
  create(directory: DirectoryWriter): Promise<unknown>;
  read(directory: DirectoryWriter, user: bigint): Promise<{ readonly exists: boolean }>;
  bind(directory: DirectoryWriter, user: bigint): Promise<unknown>;
  /** Binds the user to another one, which takes the place of the first unless users can have several. */
  bindOther(directory: DirectoryWriter, user: bigint): Promise<unknown>;
  readonly severalAtOnce: boolean;
  lockToRemove(directory: DirectoryWriter, withUsers: boolean): Promise<unknown>;
  countUsers(directory: DirectoryWriter): Promise<number>;
  unbindUsers(directory: DirectoryWriter): Promise<bigint[]>;
  remove(directory: DirectoryWriter): Promise<void>;
}

const bindings: readonly Binding[] = [
  {
    name: 'role',
    create: ({ roles }) => roles.insert(1n, {}),
    read: (directory, user) => directory.readRoleBinding(user, 1n),
    bind: (directory, user) => directory.replaceUserRole(user, 1n),
    bindOther: (directory, user) => directory.replaceUserRole(user, 2n),
    severalAtOnce: false,
    lockToRemove: ({ roles }, withUsers) => roles.lockToRemove(1n, withUsers),
    countUsers: ({ roles }) => roles.countUsers(1n, 9),
    unbindUsers: ({ roles }) => roles.unbindUsers(1n),
    remove: ({ roles }) => roles.remove(1n),
  },
  {
    name: 'organization',
    create: ({ orgs }) => orgs.insert(1n, {}),
    read: (directory, user) => directory.readOrgBinding(user, 1n),
    bind: (directory, user) => directory.replaceUserOrg(user, 1n),
    bindOther: (directory, user) => directory.replaceUserOrg(user, 2n),
    severalAtOnce: false,
    lockToRemove: ({ orgs }, withUsers) => orgs.lockToRemove(1n, withUsers),
    countUsers: ({ orgs }) => orgs.countUsers(1n, 9),
    unbindUsers: ({ orgs }) => orgs.unbindUsers(1n),
    remove: ({ orgs }) => orgs.remove(1n),
  },
  {
    name: 'store',
    create: ({ stores }) => stores.insert('A', {}),
    read: (directory, user) => directory.readStoreBinding(user, 'A'),
    bind: (directory, user) => directory.insertUserStore(user, 'A'),
    bindOther: (directory, user) => directory.insertUserStore(user, 'B'),
    severalAtOnce: true,
    lockToRemove: ({ stores }, withUsers) => stores.lockToRemove('A', withUsers),
    countUsers: ({ stores }) => stores.countUsers('A', 9),
    unbindUsers: ({ stores }) => stores.unbindUsers('A'),
    remove: ({ stores }) => stores.remove('A'),
  },
];

for (const binding of bindings) {
  test(`the ${binding.name} that disappears after a write has seen it is reported as missing`, async () => {
    const user = await newUser(`late.${binding.name}`);
    await write(binder, binding.create);
    const [seen, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let attempts = 0;
    const binds = write(binder, async (directory) => {
      attempts += 1;
      await directory.lockUser({ id: user });
      if (!(await binding.read(directory, user)).exists) throw new Refusal();
      seen.resolve();
      await removed.promise;
      await binding.bind(directory, user);
    });
    await seen.promise;
    await write(remover, async (directory) => {
      await binding.lockToRemove(directory, false);
      assert.equal(await binding.countUsers(directory), 0);
      await binding.remove(directory);
    });
    removed.resolve();
    await assert.rejects(binds, Refusal);
    assert.equal(attempts, 2);
  });

  test(`the removal of the ${binding.name} waits for a write that binds it, and counts it`, async () => {
    const user = await newUser(`early.${binding.name}`);
    await write(binder, binding.create);
    const [bound, locking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const binds = write(binder, async (directory) => {
      await directory.lockUser({ id: user });
      await carriedOut(binding.bind(directory, user), directory);
      bound.resolve();
      await locking.promise;
    });
    await bound.promise;
    const counts = write(remover, async (directory) => {
      const locked = binding.lockToRemove(directory, false);
      locking.resolve();
      await locked;
      return binding.countUsers(directory);
    });
    await binds;
    assert.equal(await counts, 1);
    await write(remover, async (directory) => {
      await binding.lockToRemove(directory, true);
      assert.deepEqual(await binding.unbindUsers(directory), [user]);
      await binding.remove(directory);
    });
  });

  test(`the removal of the ${binding.name} sees what else its latest user is bound to meanwhile`, async () => {
    const user = await newUser(`latest.${binding.name}`);
    await write(binder, binding.create);
    const [bound, removing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const binds = write(binder, async (directory) => {
      await directory.lockUser({ id: user });
      await carriedOut(binding.bind(directory, user), directory);
      bound.resolve();
      await removing.promise;
    });
    await bound.promise;
    const [boundAgain, unbinding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const removes = write(remover, async (directory) => {
      await binding.lockToRemove(directory, true);
      await boundAgain.promise;
      const unbound = await binding.unbindUsers(directory);
      await binding.remove(directory);
      return unbound;
    });
    // It has looked for users to lock, and found none.
    await untilLocked(url, removes);
    removing.resolve();
    await binds;
    // PostgreSQL may still show the wait, although it is over.
    await untilRow(url, nobodyWaits);
    const bindsAgain = write(binder, async (directory) => {
      await directory.lockUser({ id: user });
      await carriedOut(binding.bindOther(directory, user), directory);
      boundAgain.resolve();
      await unbinding.promise;
    });
    await boundAgain.promise;
    await untilLocked(url, removes);
    unbinding.resolve();
    await bindsAgain;
    const changes = binding.severalAtOnce ? 3n : 2n;
    assert.deepEqual(await removes, binding.severalAtOnce ? [user] : []);
    assert.deepEqual(await stateOf(user), { revision: 1n + changes, bound: 1n });
  });
}

/** Waits until the database has carried out a change, which is not answered before the commit. */
async function carriedOut(change: Promise<unknown>, directory: DirectoryWriter): Promise<void> {
  await change;
  // The answer to this statement comes after those to the statements before it.
  await directory.userExists(0n);
}

/** Returns the user's revision, and how many kinds of bindings its row says that it has. */
async function stateOf(user: bigint) {
  const { rows } = await sql`select revision, 3 - without_role - without_org - without_store as bound
    from "user" where tenant_id = ${tenantId} and id = ${user}`.execute(observer);
  return rows[0];
}

test('a removal and a write over many users lock in the same order, and never deadlock', async () => {
  const [first, second] = [await newUser('first'), await newUser('second')];
  await write(binder, async (directory) => {
    await directory.roles.insert(5n, {});
    await directory.replaceUserRole(first, 5n);
  });
  const [locked, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let attempts = 0;
  const binds = write(binder, async (directory) => {
    attempts += 1;
    await directory.lockUser({ id: first });
    locked.resolve();
    await waiting.promise;
    await directory.lockUser({ id: second });
    await directory.replaceUserRole(second, 5n);
  });
  await locked.promise;
  const removes = write(remover, async ({ roles }) => {
    attempts += 1;
    await roles.lockToRemove(5n, true);
    const unbound = await roles.unbindUsers(5n);
    await roles.remove(5n);
    return unbound;
  });
  await untilLocked(url, removes);
  waiting.resolve();
  await binds;
  assert.deepEqual(await removes, [first, second]);
  assert.equal(attempts, 2, 'neither of them had to be run again');
});

test('two moves that are each valid alone wait for each other, so the second sees the first', async () => {
  await write(binder, async ({ orgs }) => {
    await orgs.insert(10n, {});
    await orgs.insert(20n, {});
  });
  const [looked, locking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = write(binder, async ({ orgs }) => {
    await orgs.lockTree();
    assert.deepEqual(await orgs.listPath(20n, 9), [20n]);
    looked.resolve();
    await locking.promise;
    await orgs.update(10n, { parentId: 20n });
  });
  await looked.promise;
  const second = write(remover, async ({ orgs }) => {
    const locked = orgs.lockTree();
    locking.resolve();
    await locked;
    return orgs.listPath(10n, 9);
  });
  await first;
  assert.deepEqual(await second, [10n, 20n]);
});
