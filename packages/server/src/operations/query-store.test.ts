import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign, storeEntry } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

test('a store is returned with its revision, which the ETag has too', async () => {
  const { envelope, headers } = await server.succeed('GET', '/store?code=S001');
  assert.deepEqual(envelope.data, { ...storeEntry('S001'), revision: 1 });
  assert.equal(headers.etag, '"1"');
});

test('an unknown store is 1401; so is one in another case or of another tenant', async () => {
  for (const code of ['none', 's001', foreign.storeCode]) {
    await server.refuse(1401, /^the store does not exist: "/, ['GET', `/store?code=${code}`]);
  }
});

test('a missing code is 1001', async () => {
  await server.refuse(1001, /^code is required$/, ['GET', '/store']);
});
