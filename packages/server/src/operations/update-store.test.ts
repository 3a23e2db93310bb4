import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign, storeEntry } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

async function queryStore(code: string): Promise<unknown> {
  return (await server.succeed('GET', `/store?code=${code}`)).envelope.data;
}

test('fields that are sent change, the revision grows, and the audit row has old and new values', async () => {
  const answer = await server.succeed('PUT', '/store', { code: 'S001', name: 'Renamed', address: 'Moved' });
  assert.equal(answer.text, '{"code":0,"message":""}');
  assert.deepEqual(await queryStore('S001'), {
    code: 'S001',
    name: 'Renamed',
    address: 'Moved',
    revision: 2,
  });
  await server.assertAudited(answer, 'update-store', undefined, {
    code: 'S001',
    name: { from: 'Store S001', to: 'Renamed' },
    address: { from: 'S001 Main Street', to: 'Moved' },
  });
});

test('a field left out or null stays, and an empty address clears', async () => {
  await server.succeed('PUT', '/store', { code: 'S002', name: null });
  assert.deepEqual(await queryStore('S002'), { ...storeEntry('S002'), revision: 1 });
  await server.succeed('PUT', '/store', { code: 'S002', address: '' });
  assert.deepEqual(await queryStore('S002'), { ...storeEntry('S002'), address: '', revision: 2 });
});

test('an unknown store is 1401, and so is one of another tenant', async () => {
  for (const code of ['none', foreign.storeCode]) {
    await server.refuse(1401, /^the store does not exist/, ['PUT', '/store', { code, name: 'N' }]);
  }
});

test('a revision other than the current one is 1017', async () => {
  await server.succeed('PUT', '/store', { code: 'S003', name: 'First', if_revision: 1 });
  const late = { code: 'S003', name: 'Second', if_revision: 1 };
  await server.refuse(1017, /if_revision is 1, and the revision is now 2/, ['PUT', '/store', late]);
});

test('a missing code and a long name are 1001', async () => {
  await server.refuse(1001, /^code is required$/, ['PUT', '/store', { name: 'N' }]);
  const long = { code: 'S001', name: 'x'.repeat(256) };
  await server.refuse(1001, /^name must be at most 255/, ['PUT', '/store', long]);
});
