import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

// 10 is the parent of 11 and 12, and 11 the parent of 13.
for (const [id, parent_id] of [
  [10, 1],
  [11, 10],
  [12, 10],
  [13, 11],
]) {
  await server.succeed('POST', '/org', { id, name: `Organization ${id}`, parent_id });
}

async function queryOrg(id: number): Promise<Record<string, unknown>> {
  return (await server.succeed('GET', `/org?id=${id}`)).envelope.data as Record<string, unknown>;
}

test('a new name and a new parent are stored, the revision grows, and both are audited', async () => {
  const answer = await server.succeed('PUT', '/org', { id: 13, name: 'Moved', parent_id: 12 });
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual(await queryOrg(13), { id: 13, name: 'Moved', parent_id: 12, revision: 2 });
  await server.assertAudited(answer, 'update-org', undefined, {
    id: 13,
    name: { from: 'Organization 13', to: 'Moved' },
    parent_id: { from: 11, to: 12 },
  });
});

test('parent 0 turns a child into a root, and a parent turns a root into a child', async () => {
  const toRoot = await server.succeed('PUT', '/org', { id: 13, parent_id: 0 });
  await server.assertAudited(toRoot, 'update-org', undefined, { id: 13, parent_id: { from: 12, to: 0 } });
  assert.equal((await queryOrg(13)).parent_id, 0);
  const toChild = await server.succeed('PUT', '/org', { id: 13, parent_id: 11 });
  await server.assertAudited(toChild, 'update-org', undefined, { id: 13, parent_id: { from: 0, to: 11 } });
});

test('a field left out or null stays; the same values change nothing', async () => {
  const before = await queryOrg(12);
  await server.succeed('PUT', '/org', { id: 12, name: null, parent_id: null });
  await server.succeed('PUT', '/org', { id: 12, name: 'Organization 12', parent_id: 10 });
  assert.deepEqual(await queryOrg(12), before);
});

test('a parent that is the organization itself or below it is 1305', async () => {
  for (const parent_id of [10, 11, 13]) {
    const message =
      parent_id === 10
        ? /^organization 10 cannot be its own parent$/
        : new RegExp(`^organization ${parent_id} is below organization 10, so it cannot become its parent; `);
    await server.refuse(1305, message, ['PUT', '/org', { id: 10, parent_id }]);
  }
});

test('a move that would make more than a hundred levels is 1001, whether above or below the organization', async () => {
  for (let id = 1001; id <= 1099; id += 1)
    await server.succeed('POST', '/org', { id, name: 'L', parent_id: id === 1001 ? 0 : id - 1 });
  for (const [id, parent_id] of [
    [2001, 0],
    [2002, 2001],
  ])
    await server.succeed('POST', '/org', { id, name: 'M', parent_id });
  for (const [id, parent_id] of [
    [2001, 1099],
    [1001, 2002],
  ]) {
    const message = new RegExp(
      `^below organization ${parent_id}, the tree would have more than 100 levels; choose `,
    );
    await server.refuse(1001, message, ['PUT', '/org', { id, parent_id }]);
  }
  await server.succeed('PUT', '/org', { id: 2001, parent_id: 1098 });
});

test('a cycle, which only a damaged directory has, is mended by another parent for one of its organizations', async () => {
  const tenant_id = server.tenantId;
  const cycle = [
    { tenant_id, id: 3001n, name: 'A', parent_id: 3002n },
    { tenant_id, id: 3002n, name: 'B', parent_id: 3001n },
  ];
  await server.db.insertInto('org').values(cycle).execute();
  await server.succeed('PUT', '/org', { id: 3001, parent_id: 12 });
});

test('of two simultaneous moves that would form a cycle, one is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [a, b] = [100 + 2 * round, 101 + 2 * round];
    for (const id of [a, b]) await server.succeed('POST', '/org', { id, name: 'Root' });
    const answers = await Promise.all([
      server.call('PUT', '/org', { id: a, parent_id: b }),
      server.call('PUT', '/org', { id: b, parent_id: a }),
    ]);
    const codes = answers.map(({ envelope }) => envelope.code);
    assert.deepEqual(
      codes.toSorted((one, two) => one - two),
      [0, 1305],
    );
  }
});

test('an unknown organization or parent is 1301, and so is one of another tenant', async () => {
  for (const id of [4711, Number(foreign.orgId)]) {
    const message = new RegExp(`^no organization has id ${id}$`);
    await server.refuse(1301, message, ['PUT', '/org', { id, name: 'N' }]);
    await server.refuse(1301, message, ['PUT', '/org', { id: 12, parent_id: id }]);
  }
});

test('a revision other than the current one is 1017', async () => {
  await server.succeed('PUT', '/org', { id: 11, name: 'First', if_revision: 1 });
  const late = { id: 11, parent_id: 12, if_revision: 1 };
  await server.refuse(1017, /if_revision is 1, and the revision is now 2/, ['PUT', '/org', late]);
});

test('a missing id is 1001', async () => {
  await server.refuse(1001, /^id is required$/, ['PUT', '/org', { name: 'N' }]);
});
