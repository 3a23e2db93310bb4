import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, foreign, org, orgEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function createBound(username: string, org_id: bigint = org.id): Promise<number> {
  const user_id = await server.createUser(username);
  await server.succeed('POST', '/user/org', { user_id, org_id });
  return user_id;
}

test('an organization is unbound, the envelope has no data, and the audit row names it', async () => {
  const id = await createBound('org.unbound', bigOrg.id);
  const answer = await server.succeed('DELETE', `/user/org?user_id=${id}&org_id=${bigOrg.text}`);
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual((await server.queryUser(id)).orgs, []);
  await server.assertAudited(answer, 'unbind-user-org', id, { org_id: { from: bigOrg.id, to: null } });
});

test('an organization that is not bound is 1302, and the bound one stays', async () => {
  const id = await createBound('org.stays');
  for (const other of [bigOrg.text, '4711', foreign.orgId]) {
    await server.refuse(1302, new RegExp(`^user ${id} is not bound to organization ${other}$`), [
      'DELETE',
      `/user/org?user_id=${id}&org_id=${other}`,
    ]);
  }
  assert.deepEqual((await server.queryUser(id)).orgs, [orgEntry]);
});

test('a second removal is 1302, so the caller learns that it did nothing', async () => {
  const id = await createBound('org.twice');
  await server.succeed('DELETE', `/user/org?user_id=${id}&org_id=1`);
  await server.refuse(1302, /not bound/, ['DELETE', `/user/org?user_id=${id}&org_id=1`]);
});

test('an unknown user is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, ['DELETE', '/user/org?user_id=987654&org_id=1']);
});

test("another tenant's user is unknown, and keeps the organization", async () => {
  const foreignId = await server.createUser('org.unbind.foreign', {}, applications.other);
  const body = { user_id: foreignId, org_id: foreign.orgId };
  await server.succeed('POST', '/user/org', body, { as: applications.other });
  await server.refuse(1101, /id/, ['DELETE', `/user/org?user_id=${foreignId}&org_id=${foreign.orgId}`]);
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['a missing user_id', '?org_id=1', /^user_id is required$/],
  ['a missing org_id', '?user_id=1', /^org_id is required$/],
  ['an org_id with a fraction', '?user_id=1&org_id=1.0', /^org_id must be an integer/],
  ['a repeated user_id', '?user_id=1&org_id=1&user_id=1', /^user_id must be given once/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['DELETE', `/user/org${query}`]);
  });
}
