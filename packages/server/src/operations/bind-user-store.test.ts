import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@fieldroster/contract';
import { fillStores, foreign, storeEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const user = await server.createUser('store.refused');

async function storesOf(id: number): Promise<unknown> {
  const answer = await server.succeed('GET', `/user/store?user_id=${id}`);
  return (answer.envelope.data as { stores: unknown }).stores;
}

test('a store is bound, the envelope has no data, and the audit row names it', async () => {
  const id = await server.createUser('store.bound');
  const answer = await server.succeed('POST', '/user/store', { user_id: id, store_code: 'S001' });
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual(await storesOf(id), [storeEntry('S001')]);
  await server.assertAudited(answer, 'bind-user-store', id, { stores: { added: ['S001'] } });
});

test('further stores are bound in addition to the earlier ones', async () => {
  const id = await server.createUser('store.more', { store_codes: ['S002'] });
  await server.succeed('POST', '/user/store', { user_id: id, store_code: 'S001' });
  assert.deepEqual(await storesOf(id), [storeEntry('S001'), storeEntry('S002')]);
});

test('binding the same store again succeeds, changes no revision, and the audit row shows no change', async () => {
  const id = await server.createUser('store.again', { store_codes: ['S001'] });
  const before = await server.queryUser(id);
  const answer = await server.succeed('POST', '/user/store', { user_id: id, store_code: 'S001' });
  assert.deepEqual(await storesOf(id), [storeEntry('S001')]);
  await server.assertAudited(answer, 'bind-user-store', id, {});
  assert.deepEqual(await server.queryUser(id), before);
});

test('a store may have several sales representatives', async () => {
  const [a, b] = [await server.createUser('store.a'), await server.createUser('store.b')];
  for (const user_id of [a, b]) await server.succeed('POST', '/user/store', { user_id, store_code: 'S003' });
  assert.deepEqual(await storesOf(a), await storesOf(b));
});

test('an unknown user is 1101, even together with an unknown store', async () => {
  await server.refuse(1101, /^no user has id 987654$/, [
    'POST',
    '/user/store',
    { user_id: 987654, store_code: 'S001' },
  ]);
  await server.refuse(1101, /987654/, ['POST', '/user/store', { user_id: 987654, store_code: 'none' }]);
});

test('an unknown store is 1401 and the message says that the store does not exist', async () => {
  await server.refuse(1401, /^the store does not exist: "none"$/, [
    'POST',
    '/user/store',
    { user_id: user, store_code: 'none' },
  ]);
});

test('the message shows an invisible character that was pasted into the code of an existing store', async () => {
  await server.refuse(1401, /^the store does not exist: "S001\\u200b"$/, [
    'POST',
    '/user/store',
    { user_id: user, store_code: 'S001\u200b' },
  ]);
});

test('store codes are compared exactly', async () => {
  for (const store_code of ['s001', ' S001', 'S001 ', 'S00']) {
    await server.refuse(1401, /does not exist/, ['POST', '/user/store', { user_id: user, store_code }]);
  }
});

test("another tenant's user and store are unknown", async () => {
  const foreignId = await server.createUser('store.foreign', {}, applications.other);
  await server.refuse(1101, /id/, ['POST', '/user/store', { user_id: foreignId, store_code: 'S001' }]);
  await server.refuse(1401, /X001/, [
    'POST',
    '/user/store',
    { user_id: user, store_code: foreign.storeCode },
  ]);
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['a missing user_id', { store_code: 'S001' }, /^user_id is required$/],
  ['a missing store_code', { user_id: user }, /^store_code is required$/],
  ['a null store_code', { user_id: user, store_code: null }, /^store_code is required$/],
  ['an empty store_code', { user_id: user, store_code: '' }, /^store_code must not be empty$/],
  [
    'a store_code that is a number',
    { user_id: user, store_code: 1 },
    /^store_code must be a string; it is a number$/,
  ],
  ['a store_code with a NUL', { user_id: user, store_code: 'S\0' }, /^store_code must be .*NUL/],
  [
    'a store_code with half a pair',
    { user_id: user, store_code: '\ud800' },
    /^store_code must be .*surrogate/,
  ],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['POST', '/user/store', body]);
  });
}

// This test comes last, because each refusal compares all rows of the directory before and after it.
test('a user with as many stores as it may have is bound to no other', async () => {
  const id = await server.createUser('store.full', { store_codes: ['S002'] });
  const codes = Array.from({ length: limits.storeCodesMax - 1 }, (_, index) => `full${index}`);
  for (let start = 0; start < codes.length; start += 5000) {
    const some = codes.slice(start, start + 5000);
    await fillStores(server.db, server.tenantId, some);
    const rows = some.map((store_code) => ({ tenant_id: server.tenantId, user_id: BigInt(id), store_code }));
    await server.db.insertInto('user_store').values(rows).execute();
  }
  await server.refuse(
    1001,
    new RegExp(`^a user may have at most 50000 stores, and user ${id} would have 50001: unbind`),
    ['POST', '/user/store', { user_id: id, store_code: 'S001' }],
  );
  await server.succeed('POST', '/user/store', { user_id: id, store_code: 'full7' });
  await server.succeed('DELETE', `/user/store?user_id=${id}&store_code=full7`);
  await server.succeed('POST', '/user/store', { user_id: id, store_code: 'S001' });
});
