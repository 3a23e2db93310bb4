import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import {
  createDatabaseWithLocale,
  icuLocale,
  locales,
} from '../../../../test/create-database-with-locale.ts';
import { openTestPostgres, patient } from '../../../../test/test-postgres.ts';
import type { UserListRequest } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';
import type { PostgresDatabase } from '../postgres-database.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

const names = ['Anna Meyer', 'Boris Meyer', '张伟明', 'a.c', 'abc'];

async function makeUsers(database: PostgresDatabase, realNames = names): Promise<bigint> {
  const tenant = await database.tenants.insertTenant('default');
  assert(tenant !== undefined);
  await database.write(tenant.id, undefined, async (directory) => {
    for (const realName of realNames) await directory.insertUser(realName, { realName });
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
  return tenant.id;
}

async function search(database: PostgresDatabase, tenantId: bigint, text: string): Promise<string[]> {
  const request = { filters: { search: text }, order: 'id', limit: 10, after: undefined } as const;
  const { entries, next } = await database.directory(tenantId).lists.listUsers(request);
  assert.equal(next, undefined);
  return entries.map(({ realName }) => realName);
}

/** Reads every page, because a search without the index may return a short one. */
async function searchAll(database: PostgresDatabase, tenantId: bigint, text: string): Promise<string[]> {
  const { lists } = database.directory(tenantId);
  const found: string[] = [];
  for (let after: UserListRequest['after']; ; ) {
    const { entries, next } = await lists.listUsers({
      filters: { search: text },
      order: 'id',
      limit: 10,
      after,
    });
    found.push(...entries.map(({ realName }) => realName));
    if (next === undefined) return found;
    after = next;
  }
}

async function assertFound(database: PostgresDatabase, tenantId: bigint): Promise<void> {
  assert.deepEqual(await search(database, tenantId, 'MEYER'), names.slice(0, 2));
  assert.deepEqual(await search(database, tenantId, '张伟'), [names[2]]);
  assert.deepEqual(await search(database, tenantId, '张伟明'), [names[2]]);
  assert.deepEqual(await search(database, tenantId, 'a.c'), ['a.c']);
  assert.deepEqual(await search(database, tenantId, 'boris n'), []);
}

test('a search finds the same users with and without the trigram index', async () => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  const tenantId = await makeUsers(database);
  await assertFound(database, tenantId);
  await sql`drop index user_by_text`.execute(db);
  await assertFound(database, tenantId);
  await sql`drop extension pg_trgm`.execute(db);
  await assertFound(database, tenantId);
  await db.destroy();
  await database.close();
});

/** Opens a database with the users, and so many others that PostgreSQL uses the index. */
async function openPlanted(url: string, realNames = names) {
  const database = await openPostgresDatabase({ ...patient, url });
  const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  const { db } = session;
  const tenantId = await makeUsers(database, realNames);
  await sql`insert into "user" select tenant_id, id + n, username || n, 'Planted ' || n, nickname, gender, email,
    phone, department, avatar, unique_code, ext_info, password_hash, status, without_role, without_org, without_store, revision, created_at, updated_at
    from "user", generate_series(10, 30000) n where real_name = 'abc'`.execute(db);
  await sql`vacuum analyze "user"`.execute(db);
  return { database, session, tenantId };
}

async function assertUsesIndex(session: Session, tenantId: bigint): Promise<void> {
  const source = await session.engine.search.source(session, tenantId, 'meyer');
  const chunk = await source?.next(undefined, 10, 0);
  const later = await source?.next({ at: 0n, id: 7n }, 10, 0);
  assert(chunk !== undefined && later !== undefined);
  for (const { scanned } of [chunk, later]) {
    const plan = await sql<Record<string, string>>`explain ${scanned}`.execute(session.db);
    const indexes = JSON.stringify(plan.rows).match(/Index (Only )?Scan (using|on) \w+/g);
    assert.deepEqual(indexes, ['Index Scan on user_by_text']);
  }
}

test('a search with few matches uses the index', async () => {
  const { database, session, tenantId } = await openPlanted(await postgres.createMigratedDatabase());
  await assertUsesIndex(session, tenantId);
  await session.db.destroy();
  await database.close();
});

test('a search for Chinese characters reads few entries of the index', async () => {
  const realNames = [...names, '100%_\\ka'];
  // With the locale C, the index would know no Chinese characters.
  const url = await createDatabaseWithLocale(postgres.url, locales['C.UTF-8']);
  const { database, session, tenantId } = await openPlanted(url, realNames);
  const text = '张伟明';
  await sql`set enable_seqscan = off`.execute(session.db);
  assert.deepEqual(await searchAll(database, tenantId, text), [names[2]]);
  const chunk = await (await session.engine.search.source(session, tenantId, text))?.next(undefined, 10, 0);
  assert.ok(chunk !== undefined, 'the index knows the text');
  const { rows } = await sql<Record<string, string>>`explain (analyze) ${chunk.scanned}`.execute(session.db);
  const [, read] =
    /Scan on user_by_text .*?actual [^)]*rows=(\d+)/.exec(JSON.stringify(rows)) ?? assert.fail(text);
  assert.ok(Number(read) <= 10, `${text}: ${read} entries`);
  assert.deepEqual(await searchAll(database, tenantId, '0%_\\ka'), ['100%_\\ka']);
  await session.db.destroy();
  await database.close();
});

test('a search through the index ignores the case of letters beyond ASCII', async () => {
  const realNames = [...names, 'ИВАН Орлов', 'иван орлов', 'Nguyễn', 'NGUYỄN'];
  const url = await createDatabaseWithLocale(postgres.url, locales['C.UTF-8']);
  const { database, session, tenantId } = await openPlanted(url, realNames);
  for (const text of ['иван', 'ИВАН ОРЛОВ', 'Иван Орлов']) {
    assert.notEqual(await session.engine.search.source(session, tenantId, text), undefined);
    assert.deepEqual(await search(database, tenantId, text), ['ИВАН Орлов', 'иван орлов'], text);
  }
  assert.deepEqual(await search(database, tenantId, 'nguyễN'), ['Nguyễn', 'NGUYỄN']);
  await session.db.destroy();
  await database.close();
});

test('a text of very many users is not looked up in the index, and finds them all the same', async () => {
  const { database, session, tenantId } = await openPlanted(await postgres.createMigratedDatabase());
  const { search } = session.engine;
  assert.equal(await search.source(session, tenantId, 'planted'), undefined);
  assert.notEqual(await search.source(session, tenantId, 'planted 777'), undefined);
  const request = { filters: { search: 'planted' }, order: 'id', limit: 500, after: undefined } as const;
  const { entries } = await database.directory(tenantId).lists.listUsers(request);
  assert.equal(entries.length, 500);
  await session.db.destroy();
  await database.close();
});

test('the index that the manual adds is used', async () => {
  const { database, session, tenantId } = await openPlanted(await postgres.createMigratedDatabase());
  await sql`drop index user_by_text`.execute(session.db);
  const manual = readFileSync(join(import.meta.dirname, '../../../../../../docs/scaling.md'), 'utf8');
  const [statement] = /create index user_by_text [^;]+;/.exec(manual) ?? assert.fail();
  await sql.raw(statement).execute(session.db);
  await assertUsesIndex(session, tenantId);
  await session.db.destroy();
  await database.close();
});

test('a search finds Greek names with initials, whose lower case depends on what is beside them', async () => {
  const url = await createDatabaseWithLocale(postgres.url, icuLocale('el-GR'));
  const { database, session, tenantId } = await openPlanted(url, [...names, 'Α.Σ. ΠΑΠΑΣ']);
  for (const text of ['Σ. ΠΑΠ', 'σ. παπ', 'παπασ', 'παπας', 'α.ς'])
    assert.deepEqual(await searchAll(database, tenantId, text), ['Α.Σ. ΠΑΠΑΣ'], text);
  await session.db.destroy();
  await database.close();
});

test('a search finds the same users where the locale of the database has other lower-case letters', async () => {
  const url = await createDatabaseWithLocale(postgres.url, icuLocale('tr-TR'));
  const realNames = [...names, 'DIVIT', 'divit', 'ISPARTA'];
  const { database, session, tenantId } = await openPlanted(url, realNames);
  assert.deepEqual(await searchAll(database, tenantId, 'DIVIT'), ['DIVIT', 'divit']);
  assert.deepEqual(await searchAll(database, tenantId, 'divit'), ['DIVIT', 'divit']);
  assert.deepEqual(await searchAll(database, tenantId, 'isparta'), ['ISPARTA']);
  await assertUsesIndex(session, tenantId);
  await session.db.destroy();
  await database.close();
});

test('a role that may not add the extension still gets tables, and searches without the index', async () => {
  const url = new URL(await postgres.createDatabase());
  const owner = openSessionWithoutTimeout(url.href, patient.connectTimeoutMs);
  const role = `plain_${url.pathname.slice(1)}`;
  await sql.raw(`create role ${role} login password 'plain'`).execute(owner.db);
  await sql.raw(`grant usage, create on schema public to ${role}`).execute(owner.db);
  [url.username, url.password] = [role, 'plain'];
  const database = await openPostgresDatabase({ ...patient, url: url.href });
  await assertFound(database, await makeUsers(database));
  const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(owner.db);
  assert.deepEqual(rows, []);
  await database.close();
  await sql.raw(`drop owned by ${role}`).execute(owner.db);
  await sql.raw(`drop role ${role}`).execute(owner.db);
  await owner.db.destroy();
});
