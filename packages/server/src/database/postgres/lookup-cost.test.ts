import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { closeReported } from '../../../test/close-reported.ts';
import { openTestPostgres, patient, runSql } from '../../../test/test-postgres.ts';
import { deleteUserStores } from '../queries/users/bindings-of-user.ts';
import { openPostgresDatabase, openSession } from './open.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

const rows = 20_000;

/** PostgreSQL switches to a generic plan after five runs of a statement. */
const times = 20;

/** Rows and index entries that connections which have ended read in a table. */
async function readsIn(url: string, table: string): Promise<number> {
  const reads = `select seq_tup_read
    + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as reads
    from pg_stat_user_tables t where relname = $1`;
  const [row] = await runSql(url, reads, [table]);
  return Number(row?.reads);
}

test('an operation looks up its input without reading all rows of the tenant', async () => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  const numbers = `from generate_series(1, ${rows}) n`;
  await runSql(url, `insert into store select ${tenant.id}, 'S' || n, 'Store', 'Street' ${numbers}`);
  await runSql(url, `insert into org select ${tenant.id}, n, 'Region', null ${numbers}`);
  await runSql(url, `insert into role select ${tenant.id}, n, 'Role', 1, 1, '' ${numbers}`);
  await runSql(url, 'vacuum analyze');
  for (let time = 0; time < times; time++) {
    await database.write(tenant.id, undefined, async (directory) => {
      assert.deepEqual(await directory.users.listUnknownStores([`S${time + 1}`, 'away']), ['away']);
      assert.deepEqual(await directory.users.listUnknownOrgs([BigInt(time + 1), 99_999n]), [99_999n]);
      assert.deepEqual(await directory.users.listUnknownRoles([BigInt(time + 1), 99_999n]), [99_999n]);
      assert.equal((await directory.roles.insert(undefined, { name: 'New' }))?.id, BigInt(rows + time + 1));
      assert.equal((await directory.orgs.insert(undefined, { name: 'New' }))?.id, BigInt(rows + time + 1));
      return { result: undefined, audit: { operation: 'test', changes: {} } };
    });
  }
  await closeReported(database, url);
  for (const table of ['store', 'org', 'role']) {
    const reads = await readsIn(url, table);
    assert.ok(reads >= times && reads < rows, `${reads} rows and entries were read in ${table}`);
  }
});

test('a page of users reads the bindings of its users alone while PostgreSQL has no statistics', async () => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  for (const table of ['"user"', 'user_role', 'user_org', 'role', 'org'])
    await runSql(url, `alter table ${table} set (autovacuum_enabled = off)`);
  const users = 100_000;
  const numbers = `from generate_series(1, ${users}) n`;
  await runSql(
    url,
    `insert into role select ${tenant.id}, n, 'Role', 1, 1, '' from generate_series(1, 20) n`,
  );
  await runSql(url, `insert into org select ${tenant.id}, n, 'Region', null ${numbers}`);
  await runSql(
    url,
    `insert into "user" select ${tenant.id}, n, 'user' || n, '', '', 0, '', '', '', '', '', '', null, 'active',
      0, 0, 1, 1, n, n ${numbers}`,
  );
  await runSql(url, `insert into user_role select ${tenant.id}, n, 1 + n % 20 ${numbers}`);
  await runSql(url, `insert into user_org select ${tenant.id}, n, n ${numbers}`);
  const { entries } = await database
    .directory(tenant.id)
    .lists.listUsers({ filters: {}, order: 'id', after: undefined, limit: 100 });
  assert.deepEqual([entries.length, entries.at(-1)?.org?.id], [100, 100n]);
  await closeReported(database, url);
  // The checks of foreign keys have read each organization and role once.
  for (const table of ['user_role', 'user_org']) {
    const reads = await readsIn(url, table);
    assert.ok(reads >= 100 && reads < users, `${reads} rows and entries were read in ${table}`);
  }
});

test('a list reads its candidates in their order while PostgreSQL has no statistics', async () => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  for (const table of ['"user"', 'user_change', 'user_store', 'store'])
    await runSql(url, `alter table ${table} set (autovacuum_enabled = off)`);
  const users = 60_000;
  const numbers = `from generate_series(1, ${users}) n`;
  await runSql(
    url,
    `insert into "user" select ${tenant.id}, n, 'user' || n, '', '', 0, '', '', '', '', '', '', null, 'active',
      0, 0, n, 0, 0, 0 ${numbers}`,
  );
  await runSql(url, `insert into store values (${tenant.id}, 'S', 'Store', '')`);
  await runSql(url, `insert into user_store select ${tenant.id}, n, 'S' ${numbers}`);
  const { lists } = database.directory(tenant.id);
  const page = { after: undefined, limit: 100 };
  const unbound = await lists.listUsers({ ...page, filters: { unbound: 'role' }, order: 'change' });
  assert.equal(unbound.next?.id, 20_000n);
  const ofStore = { storeCode: 'S', department: 'None' };
  const bound = await lists.listUsers({ ...page, filters: ofStore, order: 'id' });
  assert.equal(bound.next?.id, 20_000n);
  await closeReported(database, url);
  // The check of the foreign key has read each user once.
  for (const [table, before] of [
    ['user_change', 0],
    ['user_store', 0],
    ['user', users],
  ] as const) {
    const reads = (await readsIn(url, table)) - before;
    assert.ok(reads >= 20_000 && reads < 50_000, `${reads} rows and entries were read in ${table}`);
  }
});

for (const statistics of ['no statistics', 'statistics']) {
  test(`a count of users below an organization walks up from each of them while PostgreSQL has ${statistics}`, async () => {
    const url = await postgres.createMigratedDatabase();
    const database = await openPostgresDatabase({ ...patient, url });
    const tenant = await database.tenants.insertTenant('one');
    assert.ok(tenant);
    for (const table of ['"user"', 'user_org', 'org'])
      await runSql(url, `alter table ${table} set (autovacuum_enabled = off)`);
    const [orgs, users] = [5_000, 2_000];
    await runSql(
      url,
      `insert into org select ${tenant.id}, n, 'Region', nullif(n / 10, 0) from generate_series(1, ${orgs}) n`,
    );
    await runSql(
      url,
      `insert into "user" select ${tenant.id}, n, 'user' || n, '', '', 0, '', '', '', '', '', '', null, 'active',
        0, 0, 1, 1, n, n from generate_series(1, ${users}) n`,
    );
    await runSql(
      url,
      `insert into user_org select ${tenant.id}, n, ${orgs} - n from generate_series(1, ${users}) n`,
    );
    await runSql(url, 'update org set parent_id = 1 where id between 2 and 9');
    if (statistics === 'statistics') await runSql(url, 'vacuum analyze');
    const org = { id: 1n, includeChildren: true };
    const counted = await database.directory(tenant.id).lists.countListed({ org });
    assert.deepEqual(counted, { count: users, isMore: false });
    await closeReported(database, url);
    // The checks of foreign keys have read each organization and that of each user; four levels are above each user.
    const reads = await readsIn(url, 'org');
    assert.ok(reads >= 4 * users && reads < 20 * users, `${reads} rows and entries were read in org`);
  });
}

test('stores are unbound from a user by index look-ups', async () => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
  await database.close();
  let statement = '';
  const session = {
    ...openSession(new pg.Pool({ connectionString: url })),
    statements: {
      all: (text: string) => {
        statement = text;
        return [];
      },
      each: () => {},
    },
  };
  await deleteUserStores(session, { tenantId: 1n, userId: 1n, codes: '{}' });
  await session.db.destroy();
  // PostgreSQL keeps the generic plan.
  const plan = await runSql(
    `${url}?options=-c%20enable_seqscan%3Doff`,
    `explain (generic_plan) ${statement}`,
  );
  assert.match(JSON.stringify(plan), /Index Cond: [^"]*store_code = ANY/);
});
