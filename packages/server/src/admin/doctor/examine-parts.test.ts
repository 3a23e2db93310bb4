import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openTestPostgres, patientDirectory, runSql } from '../../../test/test-postgres.ts';
import { readSettings } from '../../config.ts';
import { repairDirectory } from '../migrate-directory.ts';
import { type OpenDirectory, openDirectory } from '../open-directory.ts';
import { examine } from './examine.ts';

const searchIndex = ['the index of the user search and its triggers'];

async function makeFolder(t: TestContext): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-parts-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  await withDirectory(data, (directory) => addUser(directory, 'before', 'Known Earlier'));
  return data;
}

async function withDirectory<T>(data: string, work: (directory: OpenDirectory) => Promise<T>): Promise<T> {
  const directory = await openDirectory({ data, environment: {} });
  try {
    return await work(directory);
  } finally {
    await directory.database.close();
  }
}

async function addUser({ database }: OpenDirectory, username: string, realName: string): Promise<void> {
  await database.write(1n, undefined, async (writer) => {
    await writer.insertUser(username, { realName });
    return { result: undefined, audit: { operation: 'create-user', changes: {} } };
  });
}

async function search({ database }: OpenDirectory, text: string): Promise<readonly string[]> {
  const request = { filters: { search: text }, order: 'id', after: undefined, limit: 10 } as const;
  const { entries } = await database.directory(1n).lists.listUsers(request);
  return entries.map(({ username }) => username);
}

function change(data: string, text: string): void {
  using connection = new DatabaseSync(join(data, 'fieldroster.db'), { defensive: false });
  connection.exec(text);
}

/** Returns the errors and warnings of the doctor. */
async function examineFolder(data: string, quick = false): Promise<readonly string[]> {
  const findings = await examine({ settings: readSettings({ data }, {}), environment: {}, quick });
  return findings
    .filter(({ level }) => level === 'error' || level === 'warning')
    .map(({ level, check, message, advice }) => `${level} ${check}: ${message} → ${advice}`);
}

for (const [what, text, said] of [
  [
    'a trigger that is missing',
    'drop trigger user_search_insert',
    'the trigger user_search_insert is missing',
  ],
  [
    'a trigger that does nothing',
    `drop trigger user_search_insert;
     create trigger user_search_insert after insert on "user" begin select 1; end`,
    'the trigger user_search_insert is changed',
  ],
  ['an index that is missing', 'drop table user_search', 'the table user_search is missing; '],
  [
    'an index without its settings',
    'drop table user_search_config',
    'the table user_search_config is missing',
  ],
  ['an index without its content', 'drop table user_search_data', 'the table user_search_data is missing'],
] as const) {
  test(`the user search: ${what} is an error, even in the quick checks, and a migration repairs it`, async (t) => {
    const data = await makeFolder(t);
    assert.deepEqual(await examineFolder(data), []);
    change(data, text);
    for (const quick of [true, false]) {
      const found = (await examineFolder(data, quick)).filter((finding) => finding.includes('error schema:'));
      assert.ok(
        found[0]?.startsWith(`error schema: the index of the user search is not kept up to date: ${said}`),
        found.join('\n'),
      );
      assert.match(found[0] ?? '', /→ run: fieldroster migrate/);
    }
    assert.deepEqual(await repairDirectory({ data }), searchIndex);
    assert.deepEqual(await examineFolder(data), []);
    await withDirectory(data, async (directory) => {
      await addUser(directory, 'after', 'Known Later');
      assert.deepEqual(await search(directory, 'known'), ['before', 'after']);
    });
    assert.deepEqual(await repairDirectory({ data }), []);
  });
}

test('the user search: users that a dropped trigger left out are found although it is there again', async (t) => {
  const data = await makeFolder(t);
  using connection = new DatabaseSync(join(data, 'fieldroster.db'));
  const row = connection.prepare("select sql from sqlite_schema where name = 'user_search_insert'").get();
  connection.close();
  change(data, 'drop trigger user_search_insert');
  await withDirectory(data, (directory) => addUser(directory, 'unlisted', 'Known Later'));
  change(data, String(row?.sql));
  const searchBefore = await withDirectory(data, (directory) => search(directory, 'known'));
  assert.deepEqual(searchBefore, ['before'], 'the fault shows in searches');
  const found = await examineFolder(data);
  assert.equal(found.length, 1);
  assert.match(
    found[0] ?? '',
    /^error user search: searches miss users: 1 difference \(user 2 of tenant 1 is not listed\) → run: fieldroster migrate/,
  );
  assert.deepEqual(await repairDirectory({ data }), searchIndex);
  const searchAfter = await withDirectory(data, (directory) => search(directory, 'known'));
  assert.deepEqual(searchAfter, ['before', 'unlisted']);
});

test('the user search: entries of absent users are found', async (t) => {
  const data = await makeFolder(t);
  change(data, "insert into user_search (rowid, text) values (99, 'nobody')");
  assert.match((await examineFolder(data)).join(), /1 difference \(1 absent user is listed\)/);
  assert.deepEqual(await repairDirectory({ data }), searchIndex);
  assert.deepEqual(await examineFolder(data), []);
});

test('a missing index is an error that a migration repairs; a missing table is left to a restore', async (t) => {
  const data = await makeFolder(t);
  change(data, 'drop index user_by_change');
  assert.match(
    (await examineFolder(data, true)).join(),
    /^error schema: the tables lack the index user_by_change →/,
  );
  assert.deepEqual(await repairDirectory({ data }), ['the index user_by_change']);
  assert.deepEqual(await examineFolder(data), []);
  change(data, 'drop table password_failure');
  assert.match(
    (await examineFolder(data, true)).join(),
    /the table password_failure; the index password_failure_by_end → .*restore a backup$/,
  );
  assert.deepEqual(await repairDirectory({ data }), []);
});

/** Makes a database with one user. */
async function makePostgresPlace(t: TestContext) {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const database = await postgres.createMigratedDatabase();
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-parts-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const directory = await openDirectory({ ...patientDirectory, data, database, environment: {} });
  await addUser(directory, 'before', 'Known Earlier');
  await directory.database.close();
  const settings = { ...readSettings({ data, database }, {}), ...patientDirectory };
  /** Returns what is wrong, apart from the missing syncs of the tests' PostgreSQL. */
  const errors = async (quick = false) => {
    const findings = await examine({ settings, environment: {}, quick });
    return findings
      .filter(({ level }) => level === 'error')
      .map(({ check, message }) => `${check}: ${message}`);
  };
  return { data, database, settings, errors };
}

test('what an interrupted pg_restore --disable-triggers leaves is found, and a migration repairs it', async (t) => {
  const { data, database, errors } = await makePostgresPlace(t);
  assert.deepEqual(await errors(), []);
  for (const table of ['"user"', 'user_store', 'store'])
    await runSql(database, `alter table ${table} disable trigger all`);
  await runSql(database, 'update "user" set updated_at = updated_at + 1');
  const found = (await errors()).join('\n');
  assert.match(found, /schema: the order of changes is not kept up to date, .*: .*user_change is disabled/);
  assert.match(
    found,
    /foreign keys: 6 foreign keys do not hold: the reference "user"\.user_tenant_fk is not enforced; the reference store\./,
  );
  assert.match(found, /change order: lists by change/);
  const made = await repairDirectory({ data, database });
  assert.equal(made[0], 'the order of changes and its triggers');
  assert.ok(made.includes('the reference user_store_store_fk'), made.join());
  assert.deepEqual(await errors(), []);
  assert.deepEqual(await repairDirectory({ data, database }), []);
  await assert.rejects(runSql(database, "insert into user_store values (1, 1, 'none')"), { code: '23503' });
});

test('references between tables of other programs are no fault, and a migration leaves them alone', async (t) => {
  const { data, database, errors } = await makePostgresPlace(t);
  await runSql(database, 'create table public.parent (id bigint primary key)');
  await runSql(database, 'create schema other');
  for (const schema of ['public', 'other']) {
    const columns = 'parent bigint constraint user_store_user_fk references public.parent';
    await runSql(database, `create table ${schema}.child (${columns}, own bigint references public.parent)`);
    await runSql(database, `alter table ${schema}.child disable trigger all`);
  }
  assert.deepEqual(await errors(), []);
  assert.deepEqual(await repairDirectory({ data, database }), []);
});

test('a reference that rows break is left alone, and so are the rows', async (t) => {
  const { data, database, errors } = await makePostgresPlace(t);
  await runSql(database, 'alter table user_store disable trigger all');
  await runSql(database, "insert into user_store values (1, 1, 'none')");
  assert.deepEqual(await repairDirectory({ data, database }), ['the reference user_store_user_fk']);
  const found = (await errors()).join('\n');
  assert.match(found, /foreign keys: 1 foreign key does not hold: .*user_store_store_fk is not enforced/);
  assert.match(found, /orphans: user_store refers to a missing store: 1 row/);
  await runSql(database, 'delete from user_store');
  assert.deepEqual(await repairDirectory({ data, database }), ['the reference user_store_store_fk']);
  assert.deepEqual(await errors(), []);
});

test('on PostgreSQL, keys, indexes, references and functions that are missing are an error', async (t) => {
  const { database, settings } = await makePostgresPlace(t);
  const found = async () => {
    const findings = await examine({ settings, environment: {}, quick: true });
    return findings
      .filter(({ check }) => check === 'schema')
      .map(({ level, message }) => `${level} ${message}`);
  };
  assert.ok(!(await found()).some((finding) => finding.includes('lack')));
  for (const text of [
    'drop index user_by_department',
    'alter table user_store drop constraint user_store_pk',
    'alter table user_role drop constraint user_role_role_fk',
    'drop function purged_through()',
  ])
    await runSql(database, text);
  assert.ok(
    (await found()).includes(
      'error the tables lack user_by_department; user_store_pk; user_role_role_fk; purged_through()',
    ),
  );
  await runSql(database, 'drop index if exists user_by_text');
  assert.ok(
    (await found()).includes('note searches read every user: the index user_by_text is missing'),
    'searches work without it',
  );
});
