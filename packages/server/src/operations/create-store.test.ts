import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

test('a store is created, returned as by the query, and audited', async () => {
  const store = { code: 'N 1 🏬', name: 'New "one"', address: 'Here' };
  const answer = await server.succeed('POST', '/store', store);
  assert.deepEqual(answer.envelope.data, { ...store, revision: 1 });
  const queried = await server.succeed('GET', `/store?code=${encodeURIComponent(store.code)}`);
  assert.deepEqual(queried.envelope.data, answer.envelope.data);
  const changes = { code: store.code, name: { to: store.name }, address: { to: 'Here' } };
  await server.assertAudited(answer, 'create-store', undefined, changes);
});

test('an address may be left out', async () => {
  const { envelope } = await server.succeed('POST', '/store', { code: 'N2', name: 'N' });
  assert.deepEqual(envelope.data, { code: 'N2', name: 'N', address: '', revision: 1 });
});

test('a taken code is 1404; the code in another case, and another tenant’s code, are free', async () => {
  const body = { code: 'S001', name: 'Again' };
  await server.refuse(
    1404,
    /^a store with code "S001" already exists; change it with PUT \/store, or use POST \/stores, /,
    ['POST', '/store', body],
  );
  await server.succeed('POST', '/store', { code: 's001', name: 'Lower' });
  await server.succeed('POST', '/store', { code: foreign.storeCode, name: 'Ours' });
  const theirs = await server.succeed('GET', '/store?code=X001', undefined, { as: applications.other });
  assert.equal((theirs.envelope.data as { name: string }).name, 'Store X001');
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['a missing code', { name: 'N' }, /^code is required$/],
  ['a missing name', { code: 'C' }, /^name is required$/],
  ['a code with white space at an end', { code: 'C ', name: 'N' }, /^code must be free of/],
  ['a code with a control character', { code: 'a\u0007b', name: 'N' }, /^code must be free of/],
  ['a long code', { code: 'x'.repeat(101), name: 'N' }, /^code must be at most 100 characters/],
  ['a long address', { code: 'C', name: 'N', address: 'x'.repeat(1001) }, /^address must be at most 1000/],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['POST', '/store', body]);
  });
}
