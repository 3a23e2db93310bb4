import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, foreign } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

test('an organization is created below its parent, returned as by the query, and audited', async () => {
  const answer = await server.succeed('POST', '/org', { id: 50, name: 'West', parent_id: 1 });
  assert.deepEqual(answer.envelope.data, { id: 50, name: 'West', parent_id: 1, revision: 1 });
  assert.deepEqual((await server.succeed('GET', '/org?id=50')).envelope.data, answer.envelope.data);
  const changes = { id: 50, name: { to: 'West' }, parent_id: { to: 1 } };
  await server.assertAudited(answer, 'create-org', undefined, changes);
});

test('an organization created without a parent, or with parent 0, is a root', async () => {
  for (const root of [
    { id: 51, name: 'A' },
    { id: 52, name: 'B', parent_id: 0 },
  ]) {
    const { envelope } = await server.succeed('POST', '/org', root);
    assert.equal((envelope.data as { parent_id: number }).parent_id, 0);
  }
});

test('an organization created without an id gets the smallest free one if the largest of all is taken', async () => {
  const { envelope } = await server.succeed('POST', '/org', { name: 'Given' });
  assert.deepEqual(envelope.data, { id: 2, name: 'Given', parent_id: 0, revision: 1 });
});

test('a tree has at most a hundred levels', async () => {
  for (let id = 1001; id <= 1100; id += 1)
    await server.succeed('POST', '/org', { id, name: 'L', parent_id: id === 1001 ? 0 : id - 1 });
  const body = { id: 1101, name: 'L', parent_id: 1100 };
  await server.refuse(1001, /^below organization 1100, the tree would have more than 100 levels; choose /, [
    'POST',
    '/org',
    body,
  ]);
  assert.equal((await server.call('GET', '/org?id=1101')).envelope.code, 1301);
});

test('a parent beyond 2^53 keeps every digit', async () => {
  const { text } = await server.succeed('POST', '/org', `{"id":53,"name":"C","parent_id":${bigOrg.text}}`);
  assert.match(text, new RegExp(`"parent_id":${bigOrg.text},`));
});

test('an unknown parent is 1301: another tenant’s, a negative one and the new organization itself', async () => {
  for (const parent_id of [4711, Number(foreign.orgId), -1, 60]) {
    const body = { id: 60, name: 'Lost', parent_id };
    await server.refuse(1301, new RegExp(`^no organization has id ${parent_id}$`), ['POST', '/org', body]);
  }
});

test('a taken id is 1304', async () => {
  const body = { id: 1, name: 'Again' };
  await server.refuse(
    1304,
    /^an organization with id 1 already exists; leave the id out to get a new one, /,
    ['POST', '/org', body],
  );
});

test('a missing name and a negative id are 1001', async () => {
  await server.refuse(1001, /^name is required$/, ['POST', '/org', {}]);
  await server.refuse(1001, /^id must be positive/, ['POST', '/org', { id: -5, name: 'N' }]);
});
