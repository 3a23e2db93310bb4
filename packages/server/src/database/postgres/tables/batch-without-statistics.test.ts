import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { closeReported } from '../../../../test/close-reported.ts';
import { openTestPostgres, patient, runSql } from '../../../../test/test-postgres.ts';
import type { DirectoryWriter, StoreRow, UserToSave } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import * as bindingsOfMany from '../../queries/users/bindings-of-many.ts';
import * as manyUsers from '../../queries/users/many-users.ts';
import { openPostgresDatabase, openSession } from '../open.ts';

let postgres: Awaited<ReturnType<typeof openTestPostgres>>;

before(async () => {
  postgres = await openTestPostgres();
});

after(() => postgres.stop());

const count = 2000;

/** PostgreSQL keeps the plan of a statement from its sixth run on. */
const sliceSize = 50;

const numbers = Array.from({ length: count }, (_, index) => index);
const usernames = numbers.map((number) => `user-${number}`);
const stores = numbers.map((number) => ({ code: `S${number}`, name: 'Store' }));

async function inSlices<Value>(
  values: readonly Value[],
  work: (slice: readonly Value[]) => Promise<unknown>,
) {
  for (let start = 0; start < values.length; start += sliceSize)
    await work(values.slice(start, start + sliceSize));
}

function upsertStores(directory: DirectoryWriter, rows: readonly StoreRow[]) {
  return inSlices(rows, (slice) => directory.stores.upsert(slice));
}

async function createUsers({ users }: DirectoryWriter) {
  await inSlices(usernames, async (slice) => {
    const states = await users.readStates(slice);
    assert.equal(states.size, 0);
    await users.saveUsers(
      slice.map((username) => ({
        username,
        fields: {},
        roleId: 1n,
        orgId: 1n,
        storesAdded: ['S1', 'S2'],
        storesRemoved: [],
      })),
    );
  });
}

type Change = Omit<UserToSave, 'username' | 'existing'>;

function changeUsers(change: Change) {
  return ({ users }: DirectoryWriter) =>
    inSlices(usernames, async (slice) => {
      const states = await users.readStates(slice);
      assert.equal(states.size, slice.length);
      await users.saveUsers(
        [...states].map(([username, { user }]) => ({ username, existing: user, ...change })),
      );
    });
}

const changed = {
  fields: { department: 'Sales' },
  roleId: 2n,
  orgId: 2n,
  storesAdded: ['S3'],
  storesRemoved: ['S2'],
};

const renamed = stores.map((store) => ({ ...store, name: 'Renamed' }));

const works: readonly [name: string, work: (directory: DirectoryWriter) => Promise<unknown>][] = [
  ['stores are added', (directory) => upsertStores(directory, stores)],
  ['stores are renamed', (directory) => upsertStores(directory, renamed)],
  ['users are created', createUsers],
  ['users and all their bindings are changed', changeUsers(changed)],
  ["users' stores are changed", changeUsers({ fields: {}, storesAdded: ['S2'], storesRemoved: ['S3'] })],
];

/** A slice may read all bindings a few times, instead of looking up those of each of its users. */
const readsPerEntry = (4 * count) / sliceSize;

const readsOfTables = `select relname, idx.reads + seq_tup_read as reads from pg_stat_user_tables
  join (select relid, sum(idx_tup_read) as reads from pg_stat_user_indexes group by 1) idx using (relid)`;

/**
 * The first sync fills an empty directory in one transaction, so PostgreSQL believes every table to be tiny. With a
 * plan that compares each entry with every row, the entries read grow with the square of their number.
 */
test('a batch on a new database looks each row up, whatever PostgreSQL believes of its tables', async () => {
  const url = await postgres.createMigratedDatabase();
  await runSql(
    url,
    `do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I set (autovacuum_enabled = off)', name);
      end loop; end $$`,
  );
  let database = await openPostgresDatabase({ ...patient, url });
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  const write = (work: (directory: DirectoryWriter) => Promise<unknown>) =>
    database.write(tenant.id, undefined, async (directory) => {
      await work(directory);
      return { result: undefined, audit: { operation: 'test', changes: {} } };
    });
  await write(async ({ roles, orgs }) => {
    for (const id of [1n, 2n]) {
      await roles.insert(id, {});
      await orgs.insert(id, {});
    }
  });
  const tooMany: unknown[] = [];
  for (const [name, work] of works) {
    await write(work);
    await closeReported(database, url);
    for (const { relname, reads } of await runSql(url, readsOfTables))
      if (Number(reads) > readsPerEntry * count) tooMany.push([name, relname, Number(reads)]);
    await runSql(url, 'select pg_stat_reset()');
    database = await openPostgresDatabase({ ...patient, url });
  }
  await database.close();
  assert.deepEqual(tooMany, []);
});

const nothing = { tenantId: 1n, usernames: '{}', rows: '[]', limit: 1n, nowMs: 1n };

const statements: readonly [name: string, run: (session: Session) => Promise<unknown>][] = [
  ['lockUsersByName', (session) => manyUsers.lockUsersByName(session, nothing)],
  ['selectUserStates', (session) => manyUsers.selectUserStates(session, nothing)],
  ['selectStoreCodesOfUsers', (session) => manyUsers.selectStoreCodesOfUsers(session, nothing)],
  ['updateUsers', (session) => manyUsers.updateUsers(session, nothing, [[]])],
  ['touchUsers', (session) => manyUsers.touchUsers(session, nothing, [[]])],
  ['deleteStoresOfUsers', (session) => bindingsOfMany.deleteStoresOfUsers(session, nothing, [[]])],
];

test('no statement of a batch compares each entry with each row, even if the table looks empty', async (t) => {
  const url = await postgres.createMigratedDatabase();
  // Migrates it where the tests did not prepare one.
  await (await openPostgresDatabase({ ...patient, url })).close();
  const pool = openSession(new pg.Pool({ connectionString: url }));
  let statement = '';
  const all = (text: string) => {
    statement = text;
    return [];
  };
  for (const [name, run] of statements) {
    await t.test(name, async () => {
      await run({ ...pool, statements: { all, each: () => {} } });
      const plan = await runSql(
        `${url}?options=-c%20enable_seqscan%3Doff`,
        `explain (generic_plan) ${statement}`,
      );
      assert.match(JSON.stringify(plan), /Scan/);
      assert.doesNotMatch(JSON.stringify(plan), /Join Filter/);
    });
  }
  await pool.db.destroy();
});
