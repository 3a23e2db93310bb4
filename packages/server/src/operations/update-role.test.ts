import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigRole, foreign } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function queryRole(id: number | string): Promise<Record<string, unknown>> {
  return (await server.succeed('GET', `/role?id=${id}`)).envelope.data as Record<string, unknown>;
}

test('fields that are sent change, the revision grows, and the audit row has old and new values', async () => {
  const before = { id: 20, name: 'Old', system_id: 1, order: 2, description: 'o', code: 'O' };
  await server.succeed('POST', '/role', before);
  const changed = { name: 'New', system_id: 3, order: 4, description: 'n', code: 'N' };
  const answer = await server.succeed('PUT', '/role', { id: 20, ...changed });
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual(await queryRole(20), { id: 20, ...changed, revision: 2 });
  const pairs = Object.entries(changed).map(([name, to]) => [
    name,
    { from: before[name as keyof typeof before], to },
  ]);
  await server.assertAudited(answer, 'update-role', undefined, { id: 20, ...Object.fromEntries(pairs) });
});

test('a field left out or null, and an empty name, change nothing; an empty description or code clears', async () => {
  await server.succeed('POST', '/role', { id: 21, name: 'Keep', order: 5, description: 'd', code: 'C' });
  await server.succeed('PUT', '/role', { id: 21, name: '', order: null, description: '', code: '' });
  const expected = { id: 21, name: 'Keep', system_id: 0, order: 5, description: '', revision: 2 };
  assert.deepEqual(await queryRole(21), expected);
});

test('an update that changes nothing succeeds, and the revision stays', async () => {
  await server.succeed('POST', '/role', { id: 22, name: 'Same' });
  const answer = await server.succeed('PUT', '/role', { id: 22, name: 'Same', code: '', description: '' });
  assert.equal((await queryRole(22)).revision, 1);
  await server.assertAudited(answer, 'update-role', undefined, { id: 22 });
});

test('users show the changed role at once', async () => {
  const user_id = await server.createUser('of.role');
  await server.succeed('POST', '/user/role', { user_id, role_id: 7 });
  await server.succeed('PUT', '/role', { id: 7, name: 'Renamed' });
  const [role] = (await server.queryUser(user_id)).roles as { name: string }[];
  assert.equal(role?.name, 'Renamed');
});

test('an update for a revision other than the current one is 1017, even if it changes nothing', async () => {
  await server.succeed('POST', '/role', { id: 23, name: 'Contested' });
  await server.succeed('PUT', '/role', { id: 23, name: 'First', if_revision: 1 });
  const late = { id: 23, name: 'Second', if_revision: 1 };
  await server.refuse(1017, /if_revision is 1, and the revision is now 2/, ['PUT', '/role', late]);
  await server.refuse(1017, /revision is now 2/, ['PUT', '/role', { id: 23, if_revision: 0 }]);
  assert.equal((await queryRole(23)).name, 'First');
});

test('of several simultaneous updates of one revision, exactly one is applied', async () => {
  await server.succeed('POST', '/role', { id: 24, name: 'Contested' });
  const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
  const answers = await Promise.all(
    names.map((name) => server.call('PUT', '/role', { id: 24, name, if_revision: 1 })),
  );
  const codes = answers.map(({ envelope }) => envelope.code);
  assert.deepEqual(
    codes.toSorted((a, b) => a - b),
    [0, ...Array(7).fill(1017)],
  );
  assert.equal((await queryRole(24)).name, names[codes.indexOf(0)]);
});

test('an id beyond 2^53 names exactly its role', async () => {
  await server.succeed('PUT', '/role', `{"id":${bigRole.text},"order":9}`);
  assert.equal((await queryRole(bigRole.text)).order, 9);
  await server.refuse(1201, /9007199254740992/, ['PUT', '/role', '{"id":9007199254740992,"order":9}']);
});

test('an unknown role is 1201, and so is one of another tenant', async () => {
  for (const id of [4711, Number(foreign.roleId)]) {
    await server.refuse(1201, new RegExp(`^no role has id ${id}$`), ['PUT', '/role', { id, name: 'N' }]);
  }
});

test('a missing id is 1001', async () => {
  await server.refuse(1001, /^id is required$/, ['PUT', '/role', { name: 'N' }]);
});
