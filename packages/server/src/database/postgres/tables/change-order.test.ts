import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient, runSql, untilLocked } from '../../../../test/test-postgres.ts';
import { newFilledTenant, newUser, type Subject, write } from '../../conformance/subject.ts';
import { migrate } from '../../migrations/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { KyselyDirectoryWriter } from '../../queries/directory-writer.ts';
import { copiedTables } from '../../queries/imports/copy-tables.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';
import { copyPages, setIndexesAside } from './fill-tables.ts';

async function openSubject(t: TestContext) {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createMigratedDatabase();
  const clock = { nowMs: Date.UTC(2026, 10, 25) };
  const database = await openPostgresDatabase({ ...patient, url, now: () => clock.nowMs });
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(async () => {
    await database.close();
    await db.destroy();
  });
  const subject: Subject = {
    clock,
    under: { database, second: database, db, bookkeeping: db, close: async () => {} },
  };
  return { url, subject };
}

/** Rows that only one of the two tables has. */
async function differences(url: string): Promise<unknown[]> {
  const [user, change] = ['"user"', 'user_change'].map(
    (table) => `select tenant_id, updated_at, id from ${table}`,
  );
  return runSql(url, `(${user} except ${change}) union all (${change} except ${user})`);
}

async function orderLength(url: string): Promise<number> {
  const [row] = await runSql(url, 'select count(*) as count from user_change');
  return Number(row?.count);
}

test('the order of changes follows every kind of write', async (t) => {
  const { url, subject } = await openSubject(t);
  const tenantId = await newFilledTenant(subject);
  const inOrder = async (expected: number, message: string) => {
    assert.deepEqual(await differences(url), [], message);
    assert.equal(await orderLength(url), expected, message);
    subject.clock.nowMs += 1;
  };
  const id = await newUser(subject, tenantId);
  await inOrder(1, 'creation');
  await write(subject, tenantId, (directory) => directory.updateUser(id, { phone: '1' }));
  await inOrder(1, 'update');
  await write(subject, tenantId, (directory) => directory.insertUserStore(id, 'A'));
  await inOrder(1, 'binding');
  await write(subject, tenantId, (directory) => directory.users.setUserStatus(id, 'disabled'));
  await inOrder(1, 'status');
  const saved = ['two', 'three'].map((username) => ({
    username,
    fields: {},
    storesAdded: ['B'],
    storesRemoved: [],
  }));
  await write(subject, tenantId, (directory) => directory.users.saveUsers(saved));
  await inOrder(3, 'batch');
  await write(subject, tenantId, (directory) => directory.users.deleteUser(id));
  await inOrder(2, 'removal');
});

test('a binding changes no index of users', async (t) => {
  const { url, subject } = await openSubject(t);
  const tenantId = await newFilledTenant(subject);
  const id = await newUser(subject, tenantId);
  // The first store of a user leaves the index of users without one.
  await write(subject, tenantId, (directory) => directory.insertUserStore(id, 'A'));
  const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => session.db.destroy());
  await sql`begin`.execute(session.db);
  const directory = new KyselyDirectoryWriter(session, tenantId, subject.clock.nowMs + 1);
  await directory.insertUserStore(id, 'B');
  const { rows } = await sql`select n_tup_upd as updated, n_tup_hot_upd as without_indexes
    from pg_stat_xact_user_tables where relname = 'user'`.execute(session.db);
  await sql`commit`.execute(session.db);
  assert.deepEqual(rows, [{ updated: 1n, without_indexes: 1n }]);
  assert.deepEqual(await differences(url), []);
});

test('rows that are copied in are in the order, and so are their later changes', async (t) => {
  const { url, subject } = await openSubject(t);
  const tenantId = await newFilledTenant(subject);
  const id = await newUser(subject, tenantId);
  const [row] = await subject.under.db.selectFrom('user').selectAll().execute();
  assert(row !== undefined);
  const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => session.db.destroy());
  await sql`begin`.execute(session.db);
  const putBack = await setIndexesAside(session.db, copiedTables);
  await copyPages(session, 'user', Readable.from([[{ ...row, id: id + 1n, username: 'copied' }]]));
  await putBack();
  await sql`commit`.execute(session.db);
  assert.equal(await orderLength(url), 2);
  subject.clock.nowMs += 1;
  await write(subject, tenantId, (directory) => directory.updateUser(id + 1n, { phone: '1' }));
  assert.deepEqual(await differences(url), []);
});

test('the next change of a user adds a row that the order of changes lost', async (t) => {
  const { url, subject } = await openSubject(t);
  const tenantId = await newFilledTenant(subject);
  const id = await newUser(subject, tenantId);
  await runSql(url, 'delete from user_change');
  subject.clock.nowMs += 1;
  await write(subject, tenantId, (directory) => directory.updateUser(id, { phone: '1' }));
  assert.deepEqual(await differences(url), []);
});

async function openEarlierRelease(t: TestContext) {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createDatabase();
  // The names begin with numbers, so they sort by age.
  const before = Object.entries(migrations).filter(([name]) => name < '012-user-change');
  const earlier = Object.fromEntries(before);
  const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => session.db.destroy());
  await migrate(session, earlier);
  await runSql(url, `insert into tenant values (7, 'north', 0)`);
  await runSql(
    url,
    `insert into "user" select 7, i, 'user-' || i, '', '', 0, '', '', '', '', '', '', null, 'active', 1, 1, 1, 1, 0, 1000 - i
      from generate_series(1, 100) as i`,
  );
  return { url, session };
}

test('the migration takes over the users of an earlier release', async (t) => {
  const { url, session } = await openEarlierRelease(t);
  await migrate(session);
  assert.deepEqual(await differences(url), []);
  assert.equal(await orderLength(url), 100);
});

test('the migration and a write that is under way do not wait for each other', async (t) => {
  const { url, session } = await openEarlierRelease(t);
  const writer = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => writer.db.destroy());
  await sql`begin`.execute(writer.db);
  await sql`select id from "user" where id = 5 for no key update`.execute(writer.db);
  const migrates = migrate(session);
  await untilLocked(url, migrates);
  const updates = sql`update "user" set updated_at = 2000 where id = 5`.execute(writer.db);
  const committed = updates.then(() => sql`commit`.execute(writer.db));
  await Promise.all([migrates, committed]);
  assert.deepEqual(await differences(url), []);
});
