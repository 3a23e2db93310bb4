import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, foreign, org, orgEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const user = await server.createUser('org.refused');

test('an organization is bound, the envelope has no data, and the audit row has the change', async () => {
  const id = await server.createUser('org.bound');
  const answer = await server.succeed('POST', '/user/org', { user_id: id, org_id: org.id });
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual((await server.queryUser(id)).orgs, [orgEntry]);
  await server.assertAudited(answer, 'bind-user-org', id, { org_id: { from: null, to: 1 } });
});

test('binding another organization replaces the previous one', async () => {
  const id = await server.createUser('org.replaced');
  await server.succeed('POST', '/user/org', { user_id: id, org_id: org.id });
  const answer = await server.succeed('POST', '/user/org', { user_id: id, org_id: bigOrg.id });
  assert.equal(((await server.queryUser(id)).orgs as unknown[]).length, 1);
  await server.assertAudited(answer, 'bind-user-org', id, { org_id: { from: 1, to: bigOrg.id } });
});

test('binding the same organization again succeeds, changes no revision, and the audit row shows no change', async () => {
  const id = await server.createUser('org.again');
  await server.succeed('POST', '/user/org', { user_id: id, org_id: bigOrg.id });
  const before = await server.queryUser(id);
  const answer = await server.succeed('POST', '/user/org', { user_id: id, org_id: bigOrg.id });
  await server.assertAudited(answer, 'bind-user-org', id, {});
  assert.deepEqual(await server.queryUser(id), before);
});

test('an unknown user is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, [
    'POST',
    '/user/org',
    { user_id: 987654, org_id: org.id },
  ]);
});

test('an unknown organization is 1301 and leaves the binding as it was', async () => {
  const id = await server.createUser('org.kept');
  await server.succeed('POST', '/user/org', { user_id: id, org_id: org.id });
  await server.refuse(1301, /^no organization has id 9223372036854775806$/, [
    'POST',
    '/user/org',
    `{"user_id":${id},"org_id":9223372036854775806}`,
  ]);
  assert.deepEqual((await server.queryUser(id)).orgs, [orgEntry]);
});

test("another tenant's user and organization are unknown", async () => {
  const foreignId = await server.createUser('org.foreign', {}, applications.other);
  await server.refuse(1101, /id/, ['POST', '/user/org', { user_id: foreignId, org_id: org.id }]);
  await server.refuse(1301, /900/, ['POST', '/user/org', { user_id: user, org_id: foreign.orgId }]);
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['a missing user_id', { org_id: 1 }, /^user_id is required$/],
  ['a missing org_id', { user_id: user }, /^org_id is required$/],
  ['a null org_id', { user_id: user, org_id: null }, /^org_id is required$/],
  [
    'an org_id that is a string',
    { user_id: user, org_id: '1' },
    /^org_id must be an integer; it is a string: send the digits without quotes$/,
  ],
  [
    'an org_id that is an array',
    { user_id: user, org_id: [1] },
    /^org_id must be an integer; it is an array$/,
  ],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['POST', '/user/org', body]);
  });
}
