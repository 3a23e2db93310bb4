import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function newStore(code: string): Promise<string> {
  await server.succeed('POST', '/store', { code, name: `Store ${code}` });
  return code;
}

test('a store that nobody looks after is removed, and the audit row keeps its values', async () => {
  await newStore('FREE');
  const answer = await server.succeed('DELETE', '/store?code=FREE');
  assert.equal(answer.text, '{"code":0,"message":""}');
  const was = { name: { from: 'Store FREE' }, address: { from: '' } };
  await server.assertAudited(answer, 'delete-store', undefined, { code: 'FREE', ...was, users_unbound: 0 });
  await server.refuse(1401, /"FREE"/, ['DELETE', '/store?code=FREE']);
});

test('a store in use is 1403 with the number of users', async () => {
  await newStore('USED');
  for (const name of ['a', 'b', 'c']) await server.createUser(name, { store_codes: ['USED'] });
  const message = /^store "USED" has 3 users; unbind them first, or send force=true$/;
  await server.refuse(1403, message, ['DELETE', '/store?code=USED']);
});

test('force unbinds the users from this store only, each with an audit row', async () => {
  await newStore('GONE');
  const users = [
    await server.createUser('gone.1', { store_codes: ['GONE', 'S001'] }),
    await server.createUser('gone.2', { store_codes: ['GONE'] }),
  ];
  const answer = await server.succeed('DELETE', '/store?code=GONE&force=true');
  const [, ...unbound] = await server.auditOf(answer);
  assert.deepEqual(
    unbound.map(({ userId, changes }) => [userId, changes]),
    users.map((user) => [BigInt(user), { stores: { removed: ['GONE'] } }]),
  );
  const left = await server.succeed('GET', `/user/store?user_id=${users[0]}`);
  const { stores } = left.envelope.data as { stores: { code: string }[] };
  assert.deepEqual(
    stores.map(({ code }) => code),
    ['S001'],
  );
});

test('two thousand users are unbound in one request', async () => {
  await newStore('MANY');
  const [template] = await server.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', BigInt(await server.createUser('many', { store_codes: ['MANY'] })))
    .execute();
  assert(template !== undefined);
  const ids = Array.from({ length: 2000 }, (_, index) => 1_000_000n + BigInt(index));
  for (let start = 0; start < ids.length; start += 500) {
    const some = ids.slice(start, start + 500);
    await server.db
      .insertInto('user')
      .values(some.map((id) => ({ ...template, id, username: `many.${id}` })))
      .execute();
    await server.db
      .insertInto('user_store')
      .values(some.map((user_id) => ({ tenant_id: server.tenantId, user_id, store_code: 'MANY' })))
      .execute();
  }
  await server.refuse(1403, /^store "MANY" has 2001 users;/, ['DELETE', '/store?code=MANY']);
  const answer = await server.succeed('DELETE', '/store?code=MANY&force=true');
  const [removal, ...unbound] = await server.auditOf(answer);
  assert.deepEqual(Object.entries(removal?.changes ?? {}).at(-1), ['users_unbound', 2001]);
  assert.equal(new Set(unbound.map(({ userId }) => userId)).size, 2001);
});

test('a revision other than the current one is 1017', async () => {
  await server.refuse(1017, /the revision is now 1/, ['DELETE', '/store?code=S003&if_revision=2']);
});

test('an unknown store is 1401, and another tenant’s is 1401 and stays', async () => {
  for (const code of ['none', foreign.storeCode]) {
    await server.refuse(1401, /does not exist/, ['DELETE', `/store?code=${code}&force=true`]);
  }
});

test('a missing code is 1001', async () => {
  await server.refuse(1001, /^code is required$/, ['DELETE', '/store?force=true']);
});
