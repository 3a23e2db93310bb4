import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeReported } from '../../../../test/close-reported.ts';
import { openTestPostgres, patient, runSql, untilRow } from '../../../../test/test-postgres.ts';
import { listStoresOfUser } from '../../conformance/subject.ts';
import type { Database, DirectoryWriter, UserFilters } from '../../database.ts';
import { openPostgresDatabase } from '../open.ts';

let postgres: Awaited<ReturnType<typeof openTestPostgres>>;

before(async () => {
  postgres = await openTestPostgres();
});

after(() => postgres.stop());

const manyUsers = 12_000;

/** Opens the database with connections that PostgreSQL knows by a name. */
function openNamed(url: string, name: string, limits = patient): Promise<Database> {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  return openPostgresDatabase({ ...limits, url: named.href });
}

/** Opens a database without autovacuum, which elsewhere analyzes once a minute; here only the test does. */
async function openUnwatched(): Promise<{ url: string; database: Database }> {
  const url = await postgres.createMigratedDatabase();
  const database = await openNamed(url, 'filling');
  for (const table of ['user', 'user_role', 'user_org', 'user_store', 'role', 'org', 'store', 'audit_event'])
    await runSql(url, `alter table "${table}" set (autovacuum_enabled = off)`);
  return { url, database };
}

function write(database: Database, tenantId: bigint, work: (directory: DirectoryWriter) => Promise<unknown>) {
  return database.write(tenantId, undefined, async (directory) => {
    await work(directory);
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
}

async function addTenant(database: Database, name: string): Promise<bigint> {
  const tenant = await database.tenants.insertTenant(name);
  assert(tenant !== undefined);
  await write(database, tenant.id, async ({ roles, stores }) => {
    await roles.insert(1n, {});
    await stores.insert('A', {});
  });
  return tenant.id;
}

/** Adds users in parts, so that no statement comes near its time limit on a slow machine. */
async function addUsers(database: Database, tenantId: bigint, count: number): Promise<void> {
  const bindings = { roleId: 1n, storesAdded: ['A'], storesRemoved: [] };
  const users = Array.from({ length: count }, (_, index) => ({
    username: `user-${count}-${index}`,
    fields: { department: 'Sales' },
    ...bindings,
  }));
  for (let start = 0; start < count; start += 4_000) {
    const part = users.slice(start, start + 4_000);
    await write(database, tenantId, (directory) => directory.users.saveUsers(part));
  }
}

test('lists of a tenant without statistics in PostgreSQL are fast enough', async () => {
  const { url, database: filling } = await openUnwatched();
  for (let number = 0; number < 40; number++)
    await addUsers(filling, await addTenant(filling, `old-${number}`), 50);
  await runSql(url, 'analyze');
  const tenant = await addTenant(filling, 'new');
  const sinceMs = BigInt(Date.now());
  await addUsers(filling, tenant, manyUsers);
  const limited = await openNamed(url, 'measured', { ...patient, statementTimeoutMs: 5_000 });
  const filters: UserFilters[] = [
    { unbound: 'org', updatedSinceMs: 1n, status: 'active', search: 'zz' },
    { unbound: 'org', updatedSinceMs: sinceMs, status: 'active', search: 'zz' },
    { unbound: 'org', updatedSinceMs: 1n, storeCode: 'A', roleId: 1n, department: 'None' },
    { roleId: 1n, department: 'Sales', updatedSinceMs: 1n, unbound: 'store' },
  ];
  for (const each of filters) {
    const request = { filters: each, order: 'id', after: undefined, limit: 3 } as const;
    assert.deepEqual(await limited.directory(tenant).lists.listUsers(request), { entries: [] });
  }
  await limited.close();
  await filling.close();
});

test('a process that started with small tables does not scan them later for each write', async () => {
  const { url, database: filling } = await openUnwatched();
  const tenant = await addTenant(filling, 'one');
  await addUsers(filling, tenant, 20);
  await runSql(url, 'vacuum full analyze');
  const database = await openNamed(url, 'measured');
  const first = await firstUser(database, tenant);
  const rebind = async (directory: DirectoryWriter) => {
    await directory.deleteUserRole(first);
    await directory.replaceUserRole(first, 1n);
    await directory.deleteUserStore(first, 'A');
    await directory.insertUserStore(first, 'A');
  };
  // PostgreSQL keeps the plan of a statement that was run a few times.
  for (let count = 0; count < 10; count++) await write(database, tenant, rebind);
  await addUsers(filling, tenant, manyUsers);
  await closeReported(filling, url, 'filling');
  const before = await rowsReadWithoutIndex(url);
  for (let count = 0; count < 10; count++) await write(database, tenant, rebind);
  await closeReported(database, url, 'measured');
  assert.ok((await rowsReadWithoutIndex(url)) - before < manyUsers);
});

test('a process that started with empty tables reads the stores of a user, and the users of a store, once each', async () => {
  const { url, database: filling } = await openUnwatched();
  const tenant = await addTenant(filling, 'one');
  await addUsers(filling, tenant, 1);
  const database = await openNamed(url, 'measured');
  const user = await firstUser(database, tenant);
  const directory = database.directory(tenant);
  const readBoth = async () => [
    (await listStoresOfUser(directory, user)).length,
    (await directory.stores.listUsers('A', undefined, 500)).length,
  ];
  for (let count = 0; count < 10; count++) assert.deepEqual(await readBoth(), [1, 1]);
  const codes = Array.from({ length: 1_000 }, (_, index) => `B${index}`);
  await write(filling, tenant, async (directory) => {
    await directory.stores.upsert(codes.map((code) => ({ code, name: '', address: '' })));
    await directory.replaceUserStores(user, ['A', ...codes]);
  });
  await addUsers(filling, tenant, 1_000);
  await closeReported(filling, url, 'filling');
  const before = await rowsReadByIndex(url);
  assert.deepEqual(await readBoth(), [1_001, 500]);
  await closeReported(database, url, 'measured');
  assert.ok((await rowsReadByIndex(url)) - before < 10_000);
});

test('a new directory that single writes fill gets its statistics', { timeout: 240_000 }, async () => {
  const { url, database } = await openUnwatched();
  const tenant = await addTenant(database, 'one');
  assert.ok((await usersByStatistics(url)) <= 0);
  for (let number = 0; number < 1_000; number++) {
    await write(database, tenant, (directory) => directory.insertUser(`user-${number}`, {}));
  }
  await untilRow(url, "select 1 from pg_class where relname = 'user' and reltuples > 0");
  await database.close();
});

async function usersByStatistics(url: string): Promise<number> {
  const [row] = await runSql(url, "select reltuples from pg_class where relname = 'user'");
  return Number(row?.reltuples);
}

async function firstUser(database: Database, tenantId: bigint): Promise<bigint> {
  const request = { filters: {}, order: 'id', after: undefined, limit: 1 } as const;
  const [user] = (await database.directory(tenantId).lists.listUsers(request)).entries;
  assert(user !== undefined);
  return user.id;
}

async function rowsReadByIndex(url: string): Promise<number> {
  const [row] = await runSql(url, 'select sum(idx_tup_read) as read from pg_stat_user_indexes');
  return Number(row?.read);
}

async function rowsReadWithoutIndex(url: string): Promise<number> {
  const [row] = await runSql(url, "select seq_tup_read from pg_stat_user_tables where relname = 'user'");
  return Number(row?.seq_tup_read);
}
