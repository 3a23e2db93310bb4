import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient, runSql, untilLocked } from '../../../test/test-postgres.ts';
import type { CopySession } from '../copy-session.ts';
import { migrate, migrateInTransaction } from '../migrations/migrate.ts';
import { openPostgresSource, openPostgresTarget } from './copy-session.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';

const postgres = await openTestPostgres({ durable: false });
after(() => postgres.stop());

async function lockTimeoutOf(open: typeof openPostgresSource, url: string): Promise<string | undefined> {
  const copy = await open(url);
  const { rows } = await sql<{ ms: string }>`select current_setting('lock_timeout') as ms`.execute(
    copy.session.db,
  );
  await copy.close();
  return rows[0]?.ms;
}

async function makeTables(url: string): Promise<void> {
  await (await openPostgresDatabase({ ...patient, url })).close();
}

async function tablesOf(url: string): Promise<string[]> {
  const rows = await runSql(url, "select tablename from pg_tables where schemaname = 'public'");
  return rows.map(({ tablename }) => String(tablename));
}

test('a copy waits a minute for a lock, unless the database says otherwise', async () => {
  const url = await postgres.createDatabase();
  assert.equal(await lockTimeoutOf(openPostgresTarget, url), '1min');
  await makeTables(url);
  for (const open of [openPostgresTarget, openPostgresSource])
    assert.equal(await lockTimeoutOf(open, url), '1min');
  await runSql(url, `alter database "${new URL(url).pathname.slice(1)}" set lock_timeout = '2s'`);
  for (const open of [openPostgresTarget, openPostgresSource])
    assert.equal(await lockTimeoutOf(open, url), '2s');
});

test('the limits of a copy end with its transaction, because a pooler may give the connection to others', async () => {
  const copy = await openPostgresTarget(await postgres.createDatabase());
  await copy.commit();
  const { rows } = await sql<{ lock: string; idle: string }>`select current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`.execute(copy.session.db);
  await copy.close();
  assert.equal(rows[0]?.lock, '0');
  assert.notEqual(rows[0]?.idle, '30min');
});

test('a target that is closed without a commit has no tables, and one that is committed has all', async () => {
  const url = await postgres.createDatabase();
  const abandoned = await openPostgresTarget(url);
  assert.deepEqual(await tablesOf(url), []);
  await abandoned.close();
  assert.deepEqual(await tablesOf(url), []);
  const target = await openPostgresTarget(url);
  await target.commit();
  await target.close();
  await (await openPostgresSource(url)).close();
});

test('nothing is copied into a database that cannot keep every character', async () => {
  const url = new URL(await postgres.createDatabase());
  const name = `${url.pathname.slice(1)}_ascii`;
  await runSql(
    url.href,
    `create database "${name}" encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`,
  );
  url.pathname = name;
  // A restore takes a SchemaError to mean that the tables are of a newer release than an old backup.
  await assert.rejects(openPostgresTarget(url.href), {
    name: 'DatabaseEncodingError',
    message: /has the encoding SQL_ASCII and cannot keep every/,
  });
  assert.deepEqual(await tablesOf(url.href), []);
});

/** Asserts that a server that starts now waits for the end of the copy, and serves what it copied. */
async function requireThatServerWaits(url: string, target: CopySession): Promise<void> {
  await target.session.db.insertInto('tenant').values({ name: 'copied', created_at: 1n }).execute();
  const server = openPostgresDatabase({ ...patient, url });
  await untilLocked(url, server);
  await target.commit();
  await target.close();
  const database = await server;
  assert.equal((await database.tenants.findTenant('copied'))?.name, 'copied');
  await database.close();
}

test('a server that starts on a database that a copy fills waits for its end, and serves what was copied', async () => {
  const url = await postgres.createDatabase();
  const target = await openPostgresTarget(url);
  await requireThatServerWaits(url, target);
});

test('a copy whose tables a server makes at the same moment waits for the server, and uses them', async () => {
  const url = await postgres.createDatabase();
  const server = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  await sql`begin`.execute(server.db);
  await migrateInTransaction(server);
  const opening = openPostgresTarget(url);
  await untilLocked(url, opening);
  await sql`commit`.execute(server.db);
  await server.db.destroy();
  const target = await opening;
  await target.commit();
  await target.close();
  await (await openPostgresSource(url)).close();
});

test('a server that has begun with its tables when a copy makes the rest waits for the copy, and serves it', async () => {
  const url = await postgres.createDatabase();
  const begun = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  await migrate(begun, {});
  await begun.db.destroy();
  const target = await openPostgresTarget(url);
  await requireThatServerWaits(url, target);
});

test('a role that may make no tables, or sees no schema, learns that from the copy', async () => {
  const url = new URL(await postgres.createDatabase());
  const role = `no_tables_${url.pathname.slice(1)}`;
  await runSql(url.href, `create role ${role} login password 'weak'`);
  await runSql(url.href, 'revoke all on schema public from public');
  await runSql(url.href, `grant usage on schema public to ${role}`);
  const asRole = Object.assign(new URL(url), { username: role, password: 'weak' }).href;
  await assert.rejects(openPostgresTarget(asRole), /permission denied for schema public/);
  await runSql(url.href, `revoke all on schema public from ${role}`);
  await assert.rejects(openPostgresTarget(asRole), /may use no schema that its search_path names/);
  assert.deepEqual(await tablesOf(url.href), []);
});
