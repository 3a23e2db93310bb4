import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient } from '../../../test/test-postgres.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';
import type { PostgresDatabase } from './postgres-database.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

const names = ['Anna Meyer', 'Boris Meyer', '张伟明', 'a.c', 'abc'];

async function makeUsers(database: PostgresDatabase): Promise<bigint> {
  const tenant = await database.tenants.insertTenant('default');
  assert(tenant !== undefined);
  await database.write(tenant.id, undefined, async (directory) => {
    for (const realName of names) await directory.insertUser(realName, { realName });
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

test('a search with few matches uses the index', async () => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url });
  const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  const { db, engine } = session;
  const tenantId = await makeUsers(database);
  await sql`insert into "user" select tenant_id, id + n, username || n, 'Planted ' || n, nickname, gender, email,
    phone, department, avatar, unique_code, ext_info, password_hash, status, without_role, without_org, without_store, revision, created_at, updated_at
    from "user", generate_series(10, 20000) n where real_name = 'abc'`.execute(db);
  await sql`vacuum analyze "user"`.execute(db);
  const source = await engine.search.source(session, tenantId, 'meyer');
  const chunk = await source?.next(undefined, 10);
  assert(chunk !== undefined);
  const plan = await sql<Record<string, string>>`explain ${chunk.scanned}`.execute(db);
  assert.match(JSON.stringify(plan.rows), /user_by_text/);
  await db.destroy();
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
