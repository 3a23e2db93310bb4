import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';
import { newStoreCodeProblem, textsRefusedInStoreCodes } from './new-store-code.ts';

const server = await startTestServer();
after(() => server.close());

test('the refused texts are the parameters that can be beside the code of a store', () => {
  const names = textsRefusedInStoreCodes.map((text) => text.slice(1, -1));
  assert.deepEqual(names.toSorted(), [
    'code',
    'cursor',
    'department',
    'force',
    'if_revision',
    'include_children',
    'limit',
    'org_id',
    'role_id',
    'search',
    'status',
    'store_code',
    'unbound',
    'updated_since',
    'user_id',
  ]);
});

for (const text of textsRefusedInStoreCodes) {
  test(`no operation creates a store with ${text} in its code, and the message names it`, async () => {
    const store = { code: `X${text}5`, name: 'Joined' };
    const rule = `code is "X${text}5"; a new code must not contain "${text}", which looks like the start of another query parameter`;
    await server.refuse(1001, new RegExp(`^${rule}`), ['POST', '/store', store]);
    const stores = [{ code: `before ${text.length}`, name: 'Plain' }, store];
    for (const dry_run of [true, false]) {
      const message = new RegExp(`^stores\\[1\\]\\.${rule}`);
      await server.refuse(1001, message, ['POST', '/stores', { stores, dry_run }]);
    }
    await server.refuse(1401, /./, ['GET', `/store?code=before%20${text.length}`]);
  });
}

test('other codes with "&" and "=" are allowed, and every operation finds their stores', async () => {
  const id = await server.createUser('joined');
  for (const code of ['R&D', 'a&b=c', '&user_id', 'user_id=5', '&User_ID=5', '&app_id=']) {
    assert.equal(newStoreCodeProblem(code), undefined);
    const encoded = encodeURIComponent(code);
    await server.succeed('POST', '/store', { code, name: 'Allowed' });
    await server.succeed('POST', '/user/store', { user_id: id, store_code: code });
    for (const list of ['/users', '/store/users'])
      await server.succeed('GET', `${list}?store_code=${encoded}`);
    await server.succeed('DELETE', `/user/store?user_id=${id}&store_code=${encoded}`);
    await server.succeed('DELETE', `/store?code=${encoded}`);
  }
});

test('an existing store with such a code stays usable where its code is in a body', async () => {
  const code = 'X&user_id=5';
  await server.succeed('POST', '/store', { code: 'OLD', name: 'Old' });
  await server.db.updateTable('store').set({ code }).where('code', '=', 'OLD').execute();
  const id = await server.createUser('owner');
  await server.succeed('POST', '/user/store', { user_id: id, store_code: code });
  await server.succeed('PUT', '/store', { code, name: 'Renamed' });
  const { envelope } = await server.succeed('POST', '/stores', { stores: [{ code, name: 'Again' }] });
  assert.equal((envelope.data as { updated: number }).updated, 1);
  await server.succeed('POST', '/user/stores', { username: 'owner', store_codes: [] });
});
