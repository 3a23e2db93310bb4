import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigRole, foreign, role, roleEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const user = await server.createUser('role.refused');

test('a role is bound, the envelope has no data, and the audit row names the previous role', async () => {
  const id = await server.createUser('role.bound');
  const answer = await server.succeed('POST', '/user/role', { user_id: id, role_id: role.id });
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual((await server.queryUser(id)).roles, [roleEntry]);
  await server.assertAudited(answer, 'bind-user-role', id, { role_id: { from: null, to: 7 } });
});

test('binding another role replaces the previous one', async () => {
  const id = await server.createUser('role.replaced');
  await server.succeed('POST', '/user/role', { user_id: id, role_id: role.id });
  const answer = await server.succeed('POST', '/user/role', { user_id: id, role_id: bigRole.id });
  const { roles } = await server.queryUser(id);
  assert.equal((roles as unknown[]).length, 1);
  await server.assertAudited(answer, 'bind-user-role', id, { role_id: { from: 7, to: bigRole.id } });
});

test('binding the same role again succeeds, changes no revision, and the audit row shows no change', async () => {
  const id = await server.createUser('role.again');
  await server.succeed('POST', '/user/role', { user_id: id, role_id: role.id });
  const before = await server.queryUser(id);
  const answer = await server.succeed('POST', '/user/role', { user_id: id, role_id: role.id });
  assert.deepEqual((await server.queryUser(id)).roles, [roleEntry]);
  await server.assertAudited(answer, 'bind-user-role', id, {});
  assert.deepEqual(await server.queryUser(id), before);
});

test('of several roles bound at once, exactly one remains', async () => {
  const id = await server.createUser('role.race');
  const ids = [role.id, bigRole.id, role.id, bigRole.id];
  await Promise.all(ids.map((role_id) => server.succeed('POST', '/user/role', { user_id: id, role_id })));
  assert.equal(((await server.queryUser(id)).roles as unknown[]).length, 1);
});

test('an unknown user is 1101, even together with an unknown role', async () => {
  await server.refuse(1101, /^no user has id 987654$/, [
    'POST',
    '/user/role',
    { user_id: 987654, role_id: role.id },
  ]);
  await server.refuse(1101, /987654/, ['POST', '/user/role', { user_id: 987654, role_id: 1 }]);
});

test('an unknown role is 1201 and leaves the binding as it was', async () => {
  const id = await server.createUser('role.kept');
  await server.succeed('POST', '/user/role', { user_id: id, role_id: role.id });
  await server.refuse(1201, /^no role has id 4711$/, ['POST', '/user/role', { user_id: id, role_id: 4711 }]);
  assert.deepEqual((await server.queryUser(id)).roles, [roleEntry]);
});

test('neighbouring role ids beyond 2^53 stay distinct', async () => {
  const body = `{"user_id":${user},"role_id":9007199254740992}`;
  await server.refuse(1201, /id 9007199254740992$/, ['POST', '/user/role', body]);
});

test("another tenant's user and role are unknown", async () => {
  const foreignId = await server.createUser('role.foreign', {}, applications.other);
  await server.refuse(1101, /id/, ['POST', '/user/role', { user_id: foreignId, role_id: role.id }]);
  await server.refuse(1201, /800/, ['POST', '/user/role', { user_id: user, role_id: foreign.roleId }]);
});

const refused: readonly (readonly [label: string, body: object | string, message: RegExp])[] = [
  ['a missing user_id', { role_id: 7 }, /^user_id is required$/],
  ['a null user_id', { user_id: null, role_id: 7 }, /^user_id is required$/],
  ['a missing role_id', { user_id: user }, /^role_id is required$/],
  [
    'a user_id that is a string',
    { user_id: String(user), role_id: 7 },
    /^user_id must be an integer; it is a string: send the digits without quotes$/,
  ],
  ['a role_id with a fraction', { user_id: user, role_id: 7.5 }, /^role_id must be an integer; it is 7\.5$/],
  [
    'a role_id that is true',
    { user_id: user, role_id: true },
    /^role_id must be an integer; it is a boolean$/,
  ],
  [
    'a role_id above int64',
    `{"user_id":${user},"role_id":9223372036854775808}`,
    /^role_id must be an integer from -9223372036854775808 to 9223372036854775807/,
  ],
  [
    'a role_id that an exponent makes inexact',
    `{"user_id":${user},"role_id":1e17}`,
    /^role_id must be .* without exponent/,
  ],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['POST', '/user/role', body]);
  });
}

test('the parameters are read only from the body', async () => {
  await server.refuse(1001, /user_id/, ['POST', `/user/role?user_id=${user}&role_id=7`, '{}']);
});
