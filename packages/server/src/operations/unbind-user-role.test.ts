import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigRole, foreign, role, roleEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function createBound(username: string, role_id: bigint = role.id): Promise<number> {
  const user_id = await server.createUser(username);
  await server.succeed('POST', '/user/role', { user_id, role_id });
  return user_id;
}

test('a role is unbound, the envelope has no data, and the audit row names it', async () => {
  const id = await createBound('role.unbound');
  const answer = await server.succeed('DELETE', `/user/role?user_id=${id}&role_id=7`);
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual((await server.queryUser(id)).roles, []);
  await server.assertAudited(answer, 'unbind-user-role', id, { role_id: { from: 7, to: null } });
});

test('a role id beyond 2^53 is unbound exactly', async () => {
  const id = await createBound('role.unbound.big', bigRole.id);
  await server.refuse(1202, /9007199254740992$/, [
    'DELETE',
    `/user/role?user_id=${id}&role_id=9007199254740992`,
  ]);
  const answer = await server.succeed('DELETE', `/user/role?user_id=${id}&role_id=${bigRole.text}`);
  await server.assertAudited(answer, 'unbind-user-role', id, { role_id: { from: bigRole.id, to: null } });
});

test('a role that is not bound is 1202, and the bound one stays', async () => {
  const id = await createBound('role.stays');
  for (const other of [bigRole.text, '4711', foreign.roleId]) {
    await server.refuse(1202, new RegExp(`^user ${id} is not bound to role ${other}$`), [
      'DELETE',
      `/user/role?user_id=${id}&role_id=${other}`,
    ]);
  }
  assert.deepEqual((await server.queryUser(id)).roles, [roleEntry]);
});

test('a second removal is 1202, so the caller learns that it did nothing', async () => {
  const id = await createBound('role.twice');
  await server.succeed('DELETE', `/user/role?user_id=${id}&role_id=7`);
  await server.refuse(1202, /not bound/, ['DELETE', `/user/role?user_id=${id}&role_id=7`]);
});

test('an unknown user is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, ['DELETE', '/user/role?user_id=987654&role_id=7']);
});

test("another tenant's user is unknown, and keeps the role", async () => {
  const foreignId = await server.createUser('role.unbind.foreign', {}, applications.other);
  const body = { user_id: foreignId, role_id: foreign.roleId };
  await server.succeed('POST', '/user/role', body, { as: applications.other });
  await server.refuse(1101, /id/, ['DELETE', `/user/role?user_id=${foreignId}&role_id=${foreign.roleId}`]);
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['a missing user_id', '?role_id=7', /^user_id is required$/],
  ['a missing role_id', '?user_id=1', /^role_id is required$/],
  ['a role_id that is a word', '?user_id=1&role_id=x', /^role_id must be an integer/],
  ['a repeated role_id', '?user_id=1&role_id=7&role_id=7', /^role_id must be given once/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['DELETE', `/user/role${query}`]);
  });
}

test('the parameters are read only from the query: a signed body is ignored', async () => {
  const id = await createBound('role.body');
  await server.refuse(1001, /^user_id is required in the query; the body of this operation is not read$/, [
    'DELETE',
    '/user/role',
    { user_id: id, role_id: 7 },
  ]);
  await server.refuse(1001, /^role_id is required in the query/, [
    'DELETE',
    `/user/role?user_id=${id}`,
    { role_id: 7 },
  ]);
  const body = { user_id: 1, role_id: 1 };
  await server.succeed('DELETE', `/user/role?user_id=${id}&role_id=7`, body);
});
