import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function createBound(username: string): Promise<number> {
  const id = await server.createUser(username, {
    real_name: 'Bound',
    phone: '1',
    password: 'secret',
    store_codes: ['S002', 'S001'],
  });
  await server.succeed('POST', '/user/role', { user_id: id, role_id: 7 });
  await server.succeed('POST', '/user/org', { user_id: id, org_id: 1 });
  return id;
}

test('a user is deleted with every binding, and the audit row has all values except the password', async () => {
  const id = await createBound('gone');
  const answer = await server.succeed('DELETE', `/user?user_id=${id}`);
  assert.equal(answer.text, '{"code":0,"message":""}');
  const { user, user_role, user_org, user_store } = await server.snapshot();
  assert.deepEqual([user, user_role, user_org, user_store], [[], [], [], []]);
  await server.assertAudited(answer, 'delete-user', id, {
    username: { from: 'gone' },
    status: { from: 'active' },
    real_name: { from: 'Bound' },
    phone: { from: '1' },
    role_id: { from: 7 },
    org_id: { from: 1 },
    stores: { removed: ['S001', 'S002'] },
  });
});

test('the id is never reused, not even for a user of the same name', async () => {
  const id = await server.createUser('again');
  await server.succeed('DELETE', '/user?username=again');
  await server.refuse(1101, /again/, ['GET', '/user?username=again']);
  assert(((await server.createUser('again')) as number) > id);
  await server.succeed('DELETE', '/user?username=again');
  const answer = await server.succeed('POST', '/users/batch', { users: [{ username: 'again' }] });
  const { results } = answer.envelope.data as { results: { id: number }[] };
  assert(Number(results[0]?.id) > id + 1);
});

test('only the scope manage deletes a disabled user', async () => {
  const writer = { appId: 'app-writer', appSecret: 'the-secret-of-app-writer' };
  await server.issueApplication('write', writer);
  const id = await createBound('disabled');
  await server.succeed('PUT', '/user/status', { id, status: 'disabled' });
  const message = /^user \d+ is disabled, and deleting a disabled user needs the scope manage/;
  for (const query of [`user_id=${id}`, 'username=disabled', `user_id=${id}&if_revision=1`]) {
    await server.refuse(1016, message, ['DELETE', `/user?${query}`, undefined, { as: writer }]);
  }
  await server.refuse(1101, /./, ['DELETE', '/user?username=nobody', undefined, { as: writer }]);
  await server.succeed('DELETE', `/user?user_id=${id}`);
  const active = await server.createUser('active');
  await server.succeed('DELETE', `/user?user_id=${active}`, undefined, { as: writer });
});

test('other users keep what they have', async () => {
  const [kept, gone] = [await createBound('kept'), await createBound('gone')];
  const before = await server.queryUser(kept);
  await server.succeed('DELETE', `/user?user_id=${gone}`);
  assert.deepEqual(await server.queryUser(kept), before);
});

test('a deleted user, and one that never existed, is 1101', async () => {
  const id = await server.createUser('once');
  await server.succeed('DELETE', `/user?user_id=${id}`);
  await server.refuse(1101, /^no user has id/, ['DELETE', `/user?user_id=${id}`]);
  await server.refuse(1101, /^no user has username "nobody"$/, ['DELETE', '/user?username=nobody']);
});

test('an id and a username of different users are 1103', async () => {
  const id = await server.createUser('this');
  await server.createUser('that');
  await server.refuse(1103, /send one of the two/, ['DELETE', `/user?user_id=${id}&username=that`]);
  await server.succeed('DELETE', `/user?user_id=${id}&username=this`);
});

test('a revision other than the current one is 1017', async () => {
  const id = await server.createUser('revised');
  await server.succeed('PUT', '/user', { id, phone: '1' });
  await server.refuse(1017, /the revision is now 2/, ['DELETE', `/user?user_id=${id}&if_revision=1`]);
  await server.succeed('DELETE', `/user?user_id=${id}&if_revision=2`);
});

test("another tenant's user is unknown", async () => {
  const id = await server.createUser('theirs', {}, applications.other);
  await server.refuse(1101, /id/, ['DELETE', `/user?user_id=${id}`]);
  await server.refuse(1101, /theirs/, ['DELETE', '/user?username=theirs']);
});

test('neither an id nor a username is 1001', async () => {
  await server.refuse(1001, /^user_id or username is required; /, ['DELETE', '/user']);
  await server.refuse(1001, /^user_id or username is required; /, ['DELETE', '/user?user_id=0&username=']);
  await server.refuse(1001, /^user_id must be an integer/, ['DELETE', '/user?user_id=x']);
});

test('a user of the same name begins again at revision 1, so only an id names the same user for if_revision', async () => {
  const first = await server.createUser('reborn');
  await server.succeed('DELETE', `/user?user_id=${first}`);
  const second = await server.createUser('reborn');
  await server.refuse(1017, /the revision is now 1/, ['DELETE', '/user?username=reborn&if_revision=2']);
  await server.refuse(1101, new RegExp(String(first)), ['DELETE', `/user?user_id=${first}&if_revision=1`]);
  await server.succeed('DELETE', '/user?username=reborn&if_revision=1');
  await server.refuse(1101, new RegExp(String(second)), ['GET', `/user?user_id=${second}`]);
});
