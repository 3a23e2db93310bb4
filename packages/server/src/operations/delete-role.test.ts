import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function newRole(id: number): Promise<number> {
  await server.succeed('POST', '/role', { id, name: `Role ${id}`, order: 1 });
  return id;
}

async function newBoundUser(username: string, role_id: number): Promise<number> {
  const user_id = await server.createUser(username);
  await server.succeed('POST', '/user/role', { user_id, role_id });
  return user_id;
}

async function userRow(id: number) {
  return server.db
    .selectFrom('user')
    .select(['revision', 'updated_at'])
    .where('id', '=', BigInt(id))
    .executeTakeFirstOrThrow();
}

test('a role that nobody has is removed, and the audit row keeps its values', async () => {
  const id = await newRole(20);
  const answer = await server.succeed('DELETE', `/role?id=${id}`);
  assert.equal(answer.text, '{"code":0,"message":""}');
  await server.assertAudited(answer, 'delete-role', undefined, {
    id,
    name: { from: 'Role 20' },
    system_id: { from: 0 },
    order: { from: 1 },
    description: { from: '' },
    users_unbound: 0,
  });
  await server.refuse(1201, /^no role has id 20$/, ['GET', `/role?id=${id}`]);
  await server.refuse(1201, /^no role has id 20$/, ['DELETE', `/role?id=${id}`]);
});

test('a role in use is 1203 with the number of users, with force=false too', async () => {
  const id = await newRole(21);
  await newBoundUser('in.use.1', id);
  await server.refuse(1203, /^role 21 has 1 user;/, ['DELETE', '/role?id=21']);
  await newBoundUser('in.use.2', id);
  await server.refuse(1203, /^role 21 has 2 users;/, ['DELETE', '/role?id=21&force=false']);
});

test('force unbinds the users: each gets an audit row and a new revision', async () => {
  const id = await newRole(22);
  const users = [await newBoundUser('forced.1', id), await newBoundUser('forced.2', id)];
  const bystander = await newBoundUser('bystander', 7);
  const before = await Promise.all([...users, bystander].map(userRow));
  server.nowMs += 5000;
  const answer = await server.succeed('DELETE', '/role?id=22&force=true');

  const [removal, ...unbound] = await server.auditOf(answer);
  assert.equal(removal?.userId, null);
  assert.deepEqual(Object.entries(removal?.changes ?? {}).at(-1), ['users_unbound', 2]);
  assert.deepEqual(
    unbound.map(({ operation, userId, changes }) => [operation, userId, changes]),
    users.map((user) => ['delete-role', BigInt(user), { role_id: { from: 22, to: null } }]),
  );
  assert.equal(new Set(unbound.map(({ appId, tenantId }) => `${appId} ${tenantId}`)).size, 1);

  for (const [index, user] of users.entries()) {
    assert.deepEqual((await server.queryUser(user)).roles, []);
    const { revision, updated_at } = await userRow(user);
    assert.equal(revision, (before[index]?.revision ?? 0n) + 1n);
    assert.equal(updated_at, BigInt(server.nowMs));
  }
  assert.deepEqual(await userRow(bystander), before.at(-1));
});

test('a revision other than the current one is 1017, forced or not', async () => {
  await newRole(23);
  await server.succeed('PUT', '/role', { id: 23, name: 'Changed' });
  const target = '/role?id=23&if_revision=1&force=true';
  await server.refuse(1017, /the revision is now 2/, ['DELETE', target]);
  await server.succeed('DELETE', '/role?id=23&if_revision=2');
});

test('an unknown role is 1201, and another tenant’s is 1201 and stays', async () => {
  await server.refuse(1201, /4711/, ['DELETE', '/role?id=4711&force=true']);
  await server.refuse(1201, /800/, ['DELETE', `/role?id=${foreign.roleId}&force=true`]);
});

test('a missing id and a force other than true or false are 1001', async () => {
  await server.refuse(1001, /^id is required$/, ['DELETE', '/role?force=true']);
  await server.refuse(1001, /^force must be true or false; it is "1"$/, ['DELETE', '/role?id=7&force=1']);
});
