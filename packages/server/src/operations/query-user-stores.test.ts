import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fillStores, storeEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const id = await server.createUser('stores.query');

test('a user without stores gets an empty array', async () => {
  const { envelope } = await server.succeed('GET', `/user/store?user_id=${id}`);
  assert.deepEqual(envelope, { code: 0, message: '', data: { stores: [] } });
});

test('the bound stores are returned with code, name and address, ordered by code', async () => {
  const bound = await server.createUser('stores.query.bound', { store_codes: ['S003', 'S001', 'S002'] });
  const { envelope } = await server.succeed('GET', `/user/store?user_id=${bound}`);
  const stores = ['S001', 'S002', 'S003'].map(storeEntry);
  assert.deepEqual(envelope, { code: 0, message: '', data: { stores } });
});

test('codes of any script and case are ordered by code point', async () => {
  const codes = ['a', 'B', '10', '9', 'é', '店', '\uffe6', '🏬'];
  await fillStores(server.db, server.tenantId, codes);
  const bound = await server.createUser('stores.query.order', { store_codes: codes });
  const { envelope } = await server.succeed('GET', `/user/store?user_id=${bound}`);
  const { stores } = envelope.data as { stores: { code: string }[] };
  assert.deepEqual(
    stores.map((store) => store.code),
    ['10', '9', 'B', 'a', 'é', '店', '\uffe6', '🏬'],
  );
});

test('a sales representative gets all of a thousand stores', async () => {
  const codes = Array.from({ length: 1000 }, (_, index) => `M${String(index).padStart(4, '0')}`);
  await fillStores(server.db, server.tenantId, codes);
  const bound = await server.createUser('stores.query.many', { store_codes: codes });
  const { envelope } = await server.succeed('GET', `/user/store?user_id=${bound}`);
  assert.deepEqual((envelope.data as { stores: unknown }).stores, codes.map(storeEntry));
});

test('an unknown user is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, ['GET', '/user/store?user_id=987654']);
});

test("another tenant's user is unknown", async () => {
  const foreignId = await server.createUser('stores.foreign', {}, applications.other);
  await server.refuse(1101, /id/, ['GET', `/user/store?user_id=${foreignId}`]);
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['a missing user_id', '', /^user_id is required$/],
  ['a user_id that is a word', '?user_id=me', /^user_id must be an integer/],
  ['a user_id above int64', '?user_id=9223372036854775808', /^user_id must be an integer from/],
  ['a repeated user_id', '?user_id=1&user_id=2', /^user_id must be given once/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['GET', `/user/store${query}`]);
  });
}

test('an application with the scope read is served', async () => {
  await server.succeed('GET', `/user/store?user_id=${id}`, undefined, { as: applications.reader });
});
