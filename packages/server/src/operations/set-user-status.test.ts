import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const path = '/user/status';

async function rowOf(id: number) {
  const row = await server.db
    .selectFrom('user')
    .select(['status', 'revision', 'updated_at'])
    .where('id', '=', BigInt(id))
    .executeTakeFirst();
  return { ...row, updated_at: Number(row?.updated_at) };
}

test('a user is disabled and made active again; each change is audited', async () => {
  const id = await server.createUser('status.both');
  server.nowMs += 5;
  const disabled = await server.succeed('PUT', path, { id, status: 'disabled' });
  assert.equal(disabled.text, '{"code":0,"message":""}');
  assert.deepEqual(await rowOf(id), { status: 'disabled', revision: 2n, updated_at: server.nowMs });
  await server.assertAudited(disabled, 'set-user-status', id, { status: { from: 'active', to: 'disabled' } });
  const active = await server.succeed('PUT', path, { username: 'status.both', status: 'active' });
  assert.deepEqual(await rowOf(id), { status: 'active', revision: 3n, updated_at: server.nowMs });
  await server.assertAudited(active, 'set-user-status', id, { status: { from: 'disabled', to: 'active' } });
});

test('setting the current status changes nothing, and the audit row shows no change', async () => {
  const id = await server.createUser('status.same');
  const answer = await server.succeed('PUT', path, { id, status: 'active' });
  assert.equal((await rowOf(id)).revision, 1n);
  await server.assertAudited(answer, 'set-user-status', id, {});
});

test('a disabled user stays queryable with every binding, and can be changed', async () => {
  const id = await server.createUser('status.kept', { real_name: 'Kept', store_codes: ['S001'] });
  await server.succeed('POST', '/user/role', { user_id: id, role_id: 7 });
  const before = await server.queryUser(id);
  await server.succeed('PUT', path, { id, status: 'disabled' });
  assert.deepEqual(await server.queryUser(id), before);
  await server.succeed('POST', '/users/batch', { users: [{ username: 'status.kept', phone: '1' }] });
  assert.equal((await server.queryUser(id)).phone, '1');
  assert.equal((await rowOf(id)).status, 'disabled');
});

test('an unknown user is 1101, two different ones are 1103, another revision is 1017', async () => {
  const id = await server.createUser('status.refused');
  await server.createUser('status.other');
  const status = 'disabled';
  await server.refuse(1101, /4711/, ['PUT', path, { id: 4711, status }]);
  await server.refuse(1103, /send one of the two/, ['PUT', path, { id, username: 'status.other', status }]);
  await server.refuse(1017, /the revision is now 1/, ['PUT', path, { id, if_revision: 2, status }]);
  const foreignId = await server.createUser('status.theirs', {}, applications.other);
  await server.refuse(1101, /id/, ['PUT', path, { id: foreignId, status }]);
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['no user', { status: 'active' }, /^id or username is required; /],
  ['neither of two unset ones', { id: 0, username: '', status: 'active' }, /^id or username is required; /],
  [
    'the name of another operation',
    { user_id: 1, status: 'active' },
    /^id or username is required; here the id is sent as id, not as user_id$/,
  ],
  ['no status', { id: 1 }, /^status is required$/],
  ['an unknown status', { id: 1, status: 'gone' }, /^status must be one of active, disabled; it is /],
  ['a status that is a number', { id: 1, status: 0 }, /^status must be one of active, disabled; it is /],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['PUT', path, body]);
  });
}
