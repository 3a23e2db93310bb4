import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import {
  openTestPostgres,
  patientDirectory,
  runSql,
  type TestPostgres,
} from '../../../test/test-postgres.ts';
import { migrations } from '../../database/migrations/migrations.ts';
import { createSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { openDirectory } from '../open-directory.ts';
import { finishRestore } from './finish-restore.ts';

const environment = {};

let postgres: TestPostgres;
before(async () => {
  postgres = await openTestPostgres({ durable: false });
});
after(() => postgres.stop());

/** Makes a folder with the key, and in it or in PostgreSQL a database that knows one user. */
async function makePlace(t: TestContext, database?: string) {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-finish-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const place = { data, ...(database !== undefined && { ...patientDirectory, database }) };
  const directory = await openDirectory({ ...place, environment });
  await directory.database.write(1n, undefined, async (writer) => {
    await writer.insertUser('mara', {});
    return { result: undefined, audit: { operation: 'create-user', changes: {} } };
  });
  await directory.database.close();
  return place;
}

test('the finish of a restore that left triggers disabled enforces references again, and says which', async (t) => {
  const database = await postgres.createMigratedDatabase();
  const place = await makePlace(t, database);
  await runSql(database, 'alter table user_store disable trigger all');
  const { repaired } = await finishRestore({ ...place, environment });
  assert.deepEqual(repaired, ['the reference user_store_store_fk', 'the reference user_store_user_fk']);
  await assert.rejects(runSql(database, "insert into user_store values (1, 1, 'none')"), { code: '23503' });
  assert.deepEqual((await finishRestore({ ...place, environment })).repaired, []);
});

test('the finish keeps rows that break a reference, and enforces the other references', async (t) => {
  const database = await postgres.createMigratedDatabase();
  const place = await makePlace(t, database);
  await runSql(database, 'alter table user_store disable trigger all');
  await runSql(database, "insert into user_store values (1, 1, 'none')");
  const { repaired } = await finishRestore({ ...place, environment });
  assert.deepEqual(repaired, ['the reference user_store_user_fk']);
  assert.equal((await runSql(database, 'select 1 from user_store')).length, 1);
});

test('a finish by a role that may not repair fails and changes nothing', async (t) => {
  const database = await postgres.createMigratedDatabase();
  const place = await makePlace(t, database);
  const role = `finisher_of_${new URL(database).pathname.slice(1)}`;
  await runSql(database, `create role ${role} login password 'x'`);
  t.after(() => runSql(database, `drop owned by ${role}; drop role ${role}`));
  for (const kind of ['tables', 'sequences'])
    await runSql(database, `grant all on all ${kind} in schema public to ${role}`);
  await runSql(database, 'alter table user_store disable trigger all');
  const url = Object.assign(new URL(database), { username: role, password: 'x' }).href;
  await assert.rejects(
    finishRestore({ ...place, database: url, environment }),
    /must be owner of table user_store/,
  );
  const [counter] = await runSql(database, "select value from counter where name = 'purged_through'");
  assert.equal(counter?.value, '0');
});

test('no session and no link that had ended since then comes back', async (t) => {
  for (const database of [undefined, await postgres.createMigratedDatabase()]) {
    const place = await makePlace(t, database);
    const restored = await openDirectory({ ...place, environment });
    const { operators, bookkeeping } = restored.database;
    const access = { role: 'owner', allTenants: true, tenantIds: [] } as const;
    const nowMs = Date.now();
    const operatorId = await operators.write(undefined, async (writer) => {
      await writer.insertLink({ tokenHash: 'link', ...access, expiresAtMs: nowMs + 3_600_000 });
      return { result: (await writer.insert({ username: 'lena', passwordHash: '', ...access })) ?? 0n };
    });
    const session = { tokenHash: 'session', operatorId, createdAtMs: nowMs, seenAtMs: nowMs };
    await bookkeeping.operatorSessions.insert(session);
    await restored.database.close();
    await finishRestore({ ...place, environment });
    const finished = await openDirectory({ ...place, environment });
    t.after(() => finished.database.close());
    assert.deepEqual(await finished.database.operators.listLinks(), []);
    assert.equal(await finished.database.bookkeeping.operatorSessions.find('session'), undefined);
    assert.equal((await finished.database.operators.list()).length, 1);
  }
});

test('the finish on SQLite makes the index of the search again', async (t) => {
  const place = await makePlace(t);
  using connection = new DatabaseSync(join(place.data, 'fieldroster.db'));
  connection.exec('drop trigger user_search_update');
  const { repaired } = await finishRestore({ ...place, environment });
  assert.deepEqual(repaired, ['the index of the user search and its triggers']);
  assert.deepEqual((await finishRestore({ ...place, environment })).repaired, []);
});

test('a finish that a running server refuses leaves the tables of an earlier release as they are', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-finish-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const earlier = Object.entries(migrations).filter(([name]) => name < '005');
  const made = await createSqliteTarget(data, Object.fromEntries(earlier));
  await made.commit();
  await made.close();
  rmSync(join(data, 'fieldroster-bookkeeping.db'));
  using connection = new DatabaseSync(join(data, 'fieldroster.db'));
  const names = () => connection.prepare('select name from kysely_migration order by name').all();
  const before = names();
  assert.equal(before.length, earlier.length);
  connection
    .prepare(
      "insert into key_holder (process_id, host, pid, place, key_ids, seen_at) values ('p', 'elsewhere', 7, 'there', '[]', ?)",
    )
    .run(Date.now());
  await assert.rejects(finishRestore({ data, environment }), /^AdminError: process 7 on elsewhere runs on /);
  assert.deepEqual(names(), before);
  assert.ok(!existsSync(join(data, 'fieldroster-bookkeeping.db')));
  connection.exec('delete from key_holder');
  await finishRestore({ data, environment });
  assert.equal(names().length, Object.keys(migrations).length);
});

test('the finish on SQLite leaves nothing of a person that it erases again', async (t) => {
  const place = await makePlace(t);
  const path = join(place.data, 'fieldroster.db');
  const blocks = () => {
    using connection = new DatabaseSync(path);
    const found = connection.prepare(
      "select count(*) as n from user_search_data where hex(block) like '%' || hex('mar') || '%'",
    );
    return found.get()?.n;
  };
  const erasure = { tenant_id: '1', user_id: '1', username_hash: 'a hash', at: '2026-01-01T00:00:00.000Z' };
  const list = join(place.data, 'named.jsonl');
  writeFileSync(list, `${JSON.stringify(erasure)}\n`);
  assert.notEqual(blocks(), 0);
  const finished = await finishRestore({ ...place, environment }, { erasureFiles: [list] });
  assert.equal(finished.erasures, 1);
  assert.deepEqual(finished.cleared, {
    remnants: { freeSpaceOverwritten: true, logEmptied: true },
    remnantsFailed: undefined,
  });
  assert.equal(blocks(), 0);
  assert.ok(!readFileSync(path).includes('mara'));
  const again = await finishRestore({ ...place, environment }, { erasureFiles: [list] });
  assert.equal(again.erasures, 0);
  assert.equal(again.cleared?.remnants?.logEmptied, true);
  assert.equal((await finishRestore({ ...place, environment })).cleared, undefined);
});

test('a database that holds no directory is not finished, and stays as it is', async (t) => {
  const place = await makePlace(t);
  const path = join(place.data, 'fieldroster.db');
  const message =
    /^\S+ holds no tables of Fieldroster, so nothing was restored there; name the right database, or restore it first$/;
  const foreign = () => {
    using connection = new DatabaseSync(path);
    connection.exec('create table other (x)');
  };
  rmSync(path);
  writeFileSync(path, '');
  await assert.rejects(finishRestore({ ...place, environment }), /there is no database in/);
  assert.equal(readFileSync(path).length, 0);
  foreign();
  const before = readFileSync(path);
  await assert.rejects(finishRestore({ ...place, environment }), { name: 'AdminError', message });
  assert.deepEqual(readFileSync(path), before);
  const database = await postgres.createDatabase();
  await assert.rejects(finishRestore({ data: place.data, database, environment }), {
    name: 'AdminError',
    message,
  });
  const tables = await runSql(database, "select 1 from pg_class where relnamespace = 'public'::regnamespace");
  assert.deepEqual(tables, []);
});
