import assert from 'node:assert/strict';
import { after, afterEach, before, mock, test } from 'node:test';
import { limits } from '@fieldroster/contract';
import { type RawBuilder, sql } from 'kysely';
import { startTestServer } from '../../test/test-server.ts';
import type { Database, DirectoryWriter, TargetWriter } from '../database/database.ts';

const server = await startTestServer();
after(() => server.close());
afterEach(() => mock.restoreAll());

const targets = ['/role?id=921', '/org?id=921', '/store?code=S-921'] as const;

before(async () => {
  await server.succeed('POST', '/role', { id: 921, name: 'R', system_id: 1, position: 1, description: '' });
  await server.succeed('POST', '/org', { id: 921, name: 'O', parent_id: 0 });
  await server.succeed('POST', '/store', { code: 'S-921', name: 'S', address: '' });
  const user = { username: 'bound', role_id: 921, org_id: 921, store_codes: ['S-921'] };
  await server.succeed('POST', '/users/batch', { users: [user] });
  await copyUser('bound', limits.forcedUnbindsMax);
});

/** Inserts users with the same bindings. */
async function copyUser(username: string, copies: number): Promise<void> {
  const user = await server.db
    .selectFrom('user')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  const copied = { id: sql`id + n`, username: sql`username || n`, user_id: sql`user_id + n` };
  await copyRows('user', Object.keys(user), copied, sql`id = ${user.id}`);
  for (const [target, key] of [
    ['role', 'role_id'],
    ['org', 'org_id'],
    ['store', 'store_code'],
  ]) {
    await copyRows(`user_${target}`, ['tenant_id', 'user_id', `${key}`], copied, sql`user_id = ${user.id}`);
  }

  async function copyRows(
    table: string,
    columns: string[],
    changed: Readonly<Record<string, RawBuilder<unknown>>>,
    isCopied: RawBuilder<unknown>,
  ) {
    const values = columns.map((column) => changed[column] ?? sql.ref(column));
    await sql`with recursive numbers(n) as
        (select 1 union all select n + 1 from numbers where n < ${sql.lit(copies)})
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(values)} from ${sql.table(table)} cross join numbers where ${isCopied}`.execute(
      server.db,
    );
  }
}

/** Notes the locks for a removal that the server's writes ask for. */
function observeLocks(database: Database): (readonly [key: unknown, withUsers: boolean])[] {
  const write = database.write.bind(database);
  const locks: (readonly [key: unknown, withUsers: boolean])[] = [];
  const observe = (directory: DirectoryWriter) => {
    const observed = <Key, Target, Fields>(targets: TargetWriter<Key, Target, Fields>) => ({
      ...targets,
      lockToRemove(key: Key, withUsers: boolean) {
        locks.push([key, withUsers]);
        return targets.lockToRemove(key, withUsers);
      },
    });
    const { roles, orgs, stores } = directory;
    const found = { roles: observed(roles), orgs: observed(orgs), stores: observed(stores) };
    return Object.create(directory, Object.getOwnPropertyDescriptors(found)) as DirectoryWriter;
  };
  mock.method(database, 'write', (...[tenantId, claim, work]: Parameters<typeof write>) =>
    write(tenantId, claim, (directory) => work(observe(directory))),
  );
  return locks;
}

test('a forced removal that would unbind too many users is refused before it locks any of them', async () => {
  const locks = observeLocks(server.database);
  for (const target of targets) {
    const { envelope } = await server.call('DELETE', `${target}&force=true`);
    assert.match(envelope.message, /has more than 50000 users; force=true unbinds at most 50000/);
  }
  assert.deepEqual(locks, []);
});

test('a forced removal locks the users that it unbinds', async () => {
  await server.succeed('POST', '/role', { id: 922, name: 'R', system_id: 1, position: 1, description: '' });
  const locks = observeLocks(server.database);
  await server.succeed('DELETE', '/role?id=922&force=true');
  assert.deepEqual(locks, [[922n, true]]);
});
