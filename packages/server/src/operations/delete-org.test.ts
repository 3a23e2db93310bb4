import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function newOrg(id: number, parent_id = 0): Promise<number> {
  await server.succeed('POST', '/org', { id, name: `Organization ${id}`, parent_id });
  return id;
}

async function newBoundUser(username: string, org_id: number): Promise<number> {
  const user_id = await server.createUser(username);
  await server.succeed('POST', '/user/org', { user_id, org_id });
  return user_id;
}

test('an unused organization is removed, and the audit row keeps its values', async () => {
  await newOrg(20, 1);
  const answer = await server.succeed('DELETE', '/org?id=20');
  assert.equal(answer.text, '{"code":0,"message":""}');
  await server.assertAudited(answer, 'delete-org', undefined, {
    id: 20,
    name: { from: 'Organization 20' },
    parent_id: { from: 1 },
    users_unbound: 0,
  });
  await server.refuse(1301, /^no organization has id 20$/, ['DELETE', '/org?id=20']);
});

test('an organization in use is 1303, and the message counts its users and the organizations below', async () => {
  await newOrg(21);
  await newBoundUser('org.in.use', 21);
  const users = /^organization 21 has 1 user; unbind them first, or send force=true$/;
  await server.refuse(1303, users, ['DELETE', '/org?id=21']);
  for (const id of [22, 23]) await newOrg(id, 21);
  const both = /^organization 21 has 1 user and 2 organizations below it; move those below it first$/;
  await server.refuse(1303, both, ['DELETE', '/org?id=21']);
  await newOrg(24);
  await newOrg(25, 24);
  const below = /^organization 24 has 1 organization below it; move those below it first$/;
  await server.refuse(1303, below, ['DELETE', '/org?id=24']);
});

test('force never removes an organization with others below it, and then unbinds nobody', async () => {
  await newOrg(30);
  await newOrg(31, 30);
  await newBoundUser('org.kept', 30);
  await server.refuse(1303, /has 1 user and 1 organization below it/, ['DELETE', '/org?id=30&force=true']);
});

test('force unbinds the users, each with an audit row', async () => {
  await newOrg(40);
  const users = [await newBoundUser('org.forced.1', 40), await newBoundUser('org.forced.2', 40)];
  const answer = await server.succeed('DELETE', '/org?id=40&force=true');
  const [removal, ...unbound] = await server.auditOf(answer);
  assert.deepEqual(Object.entries(removal?.changes ?? {}).at(-1), ['users_unbound', 2]);
  assert.deepEqual(
    unbound.map(({ userId, changes }) => [userId, changes]),
    users.map((user) => [BigInt(user), { org_id: { from: 40, to: null } }]),
  );
  for (const user of users) assert.deepEqual((await server.queryUser(user)).orgs, []);
});

test('of a removal and a simultaneous creation below, only one succeeds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await newOrg(100 + round);
    const [removal, creation] = await Promise.all([
      server.call('DELETE', `/org?id=${id}`),
      server.call('POST', '/org', { id: 200 + round, name: 'Child', parent_id: id }),
    ]);
    const codes = [removal.envelope.code, creation.envelope.code].join();
    assert(codes === '0,1301' || codes === '1303,0', codes);
  }
});

test('a revision other than the current one is 1017', async () => {
  await newOrg(50);
  await server.refuse(1017, /the revision is now 1/, ['DELETE', '/org?id=50&if_revision=2']);
});

test('an unknown organization is 1301, and another tenant’s is 1301 and stays', async () => {
  await server.refuse(1301, /4711/, ['DELETE', '/org?id=4711&force=true']);
  await server.refuse(1301, /900/, ['DELETE', `/org?id=${foreign.orgId}&force=true`]);
});

test('a missing id is 1001', async () => {
  await server.refuse(1001, /^id is required$/, ['DELETE', '/org']);
});
