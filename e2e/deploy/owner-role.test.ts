import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runSql, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { expectFieldroster } from '../fieldroster-command.ts';
import { ServerProcess } from '../server-process.ts';
import { readDeploymentFile } from './deployment-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-owner-'));
const postgres = await startPostgres({ durable: false });
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** Repeats the first start of PostgreSQL's image: POSTGRES_DB, then create-owner.sql, as the superuser. */
async function initialize(password: string): Promise<string> {
  await runSql(postgres.url, 'create database fieldroster');
  const file = join(folder, 'owner-password');
  writeFileSync(file, `${password}\n`);
  // PostgreSQL runs as its own user, in a container and here.
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  const shipped = readDeploymentFile('create-owner.sql');
  assert.ok(shipped.includes("'/run/secrets/owner-password'"));
  const url = urlOf('postgres', 'postgres');
  await runSql(url, shipped.replace('/run/secrets/owner-password', file));
  return urlOf('fieldroster', password);
}

function urlOf(user: string, password: string): string {
  const url = new URL(postgres.url);
  return `postgres://${user}:${password}@${url.host}/fieldroster`;
}

test('the role of create-owner.sql can migrate the tables and serve, and no more', async () => {
  const url = await initialize("quote's");
  const flags = ['--data', join(folder, 'data'), '--database', url];
  const issued = JSON.parse(await expectFieldroster('app', 'create', '--name', 'test', '--json', ...flags));
  assert.match(issued.app_id, /./);
  const server = await ServerProcess.start({ flags });
  await server.untilReady();
  assert.equal(await server.stop(), 0);

  const [extension] = await runSql(url, "select extname from pg_extension where extname = 'pg_trgm'");
  assert.ok(extension, 'the owner may add the extension that searches use');
  const [index] = await runSql(url, "select indexname from pg_indexes where indexname = 'user_by_text'");
  assert.ok(index, 'without its index a search reads every row');
  const [role] = await runSql(
    url,
    'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
  );
  assert.deepEqual(new Set(Object.values(role ?? {})), new Set([false]));
  const owners = await runSql(url, "select distinct tableowner from pg_tables where schemaname = 'public'");
  assert.deepEqual(owners, [{ tableowner: 'fieldroster' }]);
  await assert.rejects(runSql(url, "select pg_read_file('/etc/passwd')"), /permission denied/);
});

test('no other role may connect to the database', async () => {
  await runSql(postgres.url, "create role other login password 'other'");
  await assert.rejects(runSql(urlOf('other', 'other'), 'select 1'), /permission denied for database/);
});
