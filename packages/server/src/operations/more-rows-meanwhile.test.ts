import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deadlinesOfWrites } from '../../test/deadline-of-write.ts';
import { type Answer, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const codes = Array.from({ length: 201 }, (_, index) => `M${index}`);

before(async () => {
  const stores = codes.map((code) => ({ code, name: 'Store', address: '' }));
  await server.succeed('POST', '/stores', { stores });
});

/** Binds 201 users to something. */
function bindUsers(binding: object): Promise<Answer> {
  const users = codes.map((code) => ({ username: `user.${code}`, ...binding }));
  return server.succeed('POST', '/users/batch', { users });
}

const bindStores = (username: string) =>
  server.succeed('POST', '/user/stores', { username, store_codes: codes });

type Sent = Parameters<typeof server.succeed>;

/**
 * Sends a call whose rows are added while its write waits, and asserts that it is written twice, as bulk the second time.
 * A claim of the first attempt would refuse the second.
 *
 * @returns how many audit rows the call left
 */
async function auditRowsOf(sent: Sent, meanwhile: () => Promise<unknown>): Promise<number> {
  let answer: Answer | undefined;
  const send = async () => {
    answer = await server.succeed(...sent);
  };
  const deadlines = await deadlinesOfWrites(server.database, send, meanwhile);
  assert.deepEqual(
    deadlines.map((deadline) => deadline?.bulk),
    [false, true],
  );
  assert(answer !== undefined);
  return (await server.auditOf(answer)).length;
}

test('a forced removal whose users were bound while it waited begins again with time for them, and unbinds them once', async () => {
  await server.succeed('POST', '/role', { id: 911, name: 'R', system_id: 1, position: 1, description: '' });
  await server.succeed('POST', '/org', { id: 911, name: 'O', parent_id: 0 });
  await server.succeed('POST', '/store', { code: 'S-911', name: 'S', address: '' });
  for (const [target, binding] of [
    ['/role?id=911', { role_id: 911 }],
    ['/org?id=911', { org_id: 911 }],
    ['/store?code=S-911', { store_codes: ['S-911'] }],
  ] as const) {
    const rows = await auditRowsOf(['DELETE', `${target}&force=true`], () => bindUsers(binding));
    assert.equal(rows, 1 + 201, target);
    assert.notEqual((await server.call('GET', target)).envelope.code, 0, target);
  }
});

test('a removal or a replacement begins again if its user got many stores while it waited', async () => {
  const id = await server.createUser('more.id');
  for (const username of ['more.name', 'more.stores', 'more.batch']) await server.createUser(username);
  for (const [username, ...sent] of [
    ['more.id', 'DELETE', `/user?user_id=${id}`],
    ['more.name', 'DELETE', '/user?username=more.name'],
    ['more.stores', 'POST', '/user/stores', { username: 'more.stores', store_codes: [] }],
  ] as const) {
    assert.equal(await auditRowsOf(sent as unknown as Sent, () => bindStores(username)), 1, username);
  }
  const users = [{ username: 'more.batch', store_codes: [] }];
  assert.equal(await auditRowsOf(['POST', '/users/batch', { users }], () => bindStores('more.batch')), 2);
  const { bindings } = await server.db
    .selectFrom('user_store')
    .select((eb) => eb.fn.countAll().as('bindings'))
    .where('store_code', 'in', codes)
    .executeTakeFirstOrThrow();
  assert.equal(Number(bindings), 0);
});

test('a write whose rows grew to no more than 200, or not to the double, goes on', async () => {
  for (const [username, first, then] of [
    ['more.few', 0, 200],
    ['more.many', 101, 201],
  ] as const) {
    const bind = (stores: number) =>
      server.succeed('POST', '/user/stores', { username, store_codes: codes.slice(0, stores) });
    await bind(first);
    const send = () => server.succeed('DELETE', `/user?username=${username}`);
    const deadlines = await deadlinesOfWrites(server.database, send, () => bind(then));
    assert.equal(deadlines.length, 1, username);
  }
});
