import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fillStores, foreign, storeEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function storesOf(id: number): Promise<unknown> {
  const answer = await server.succeed('GET', `/user/store?user_id=${id}`);
  return (answer.envelope.data as { stores: unknown }).stores;
}

test('only that store is unbound, the envelope has no data, and the audit row names it', async () => {
  const id = await server.createUser('store.unbound', { store_codes: ['S001', 'S002'] });
  const answer = await server.succeed('DELETE', `/user/store?user_id=${id}&store_code=S001`);
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual(await storesOf(id), [storeEntry('S002')]);
  await server.assertAudited(answer, 'unbind-user-store', id, { stores: { removed: ['S001'] } });
});

test('a store that is not bound, known or not, is 1402', async () => {
  const id = await server.createUser('store.stays', { store_codes: ['S001'] });
  for (const other of ['S002', 'none', 's001', foreign.storeCode]) {
    await server.refuse(1402, new RegExp(`^user ${id} is not bound to store "${other}"$`), [
      'DELETE',
      `/user/store?user_id=${id}&store_code=${other}`,
    ]);
  }
  assert.deepEqual(await storesOf(id), [storeEntry('S001')]);
});

test('a second removal is 1402, so the caller learns that it did nothing', async () => {
  const id = await server.createUser('store.twice', { store_codes: ['S001'] });
  await server.succeed('DELETE', `/user/store?user_id=${id}&store_code=S001`);
  await server.refuse(1402, /not bound/, ['DELETE', `/user/store?user_id=${id}&store_code=S001`]);
});

test('an unknown user is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, [
    'DELETE',
    '/user/store?user_id=987654&store_code=S001',
  ]);
});

test("another tenant's user is unknown, and keeps the store", async () => {
  const fields = { store_codes: [foreign.storeCode] };
  const foreignId = await server.createUser('store.unbind.foreign', fields, applications.other);
  await server.refuse(1101, /id/, ['DELETE', `/user/store?user_id=${foreignId}&store_code=X001`]);
});

test('with a plus sign in the query, the store whose code was signed is unbound', async () => {
  await fillStores(server.db, server.tenantId, ['A+B', 'A B']);
  const id = await server.createUser('store.plus', { store_codes: ['A+B', 'A B'] });
  const target = `/user/store?user_id=${id}&store_code=A+B`;
  await server.succeed('DELETE', target, undefined, { plus: 'literal' });
  assert.deepEqual(await storesOf(id), [storeEntry('A B')]);
  await server.succeed('DELETE', target, undefined, { plus: 'space' });
  assert.deepEqual(await storesOf(id), []);
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['a missing user_id', '?store_code=S001', /^user_id is required$/],
  ['a missing store_code', '?user_id=1', /^store_code is required$/],
  ['an empty store_code', '?user_id=1&store_code=', /^store_code must not be empty$/],
  ['a store_code with a NUL', '?user_id=1&store_code=S%00', /^store_code must be .*NUL/],
  ['a repeated store_code', '?user_id=1&store_code=S001&store_code=S002', /^store_code must be given once/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['DELETE', `/user/store${query}`]);
  });
}
