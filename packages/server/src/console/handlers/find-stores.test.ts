import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConsoleBrowser, owner } from '../../../test/console-browser.ts';
import { fillStores } from '../../../test/sample-directory.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let page: ConsoleBrowser;

before(async () => {
  server = await startTestServer();
  page = new ConsoleBrowser(server);
  await page.join('owner', owner);
  await fillStores(server.db, server.tenantId, ['Z-1', 'Z-2', 'Z-3']);
  await server.createUser('keeper', { store_codes: ['Z-2'] });
});

after(() => server.close());

interface Found {
  readonly stores: readonly { readonly code: string }[];
  readonly next: string;
}

async function find(query: string): Promise<[string[], string]> {
  const { data } = await page.succeed('GET', `/tenants/${server.tenantId}/find-stores?${query}`);
  const { stores, next } = data as unknown as Found;
  return [stores.map(({ code }) => code), next];
}

test('stores are found by a text, page by page', async () => {
  assert.deepEqual(await find('search=z-&limit=2'), [['Z-1', 'Z-2'], 'Z-2']);
  assert.deepEqual(await find('search=z-&limit=2&after=Z-2'), [['Z-3'], '']);
});

test('stores that nobody looks after are found, and become fewer once somebody does', async () => {
  assert.deepEqual(await find('search=z-&unassigned=true'), [['Z-1', 'Z-3'], '']);
  await server.createUser('another', { store_codes: ['Z-1'] });
  assert.deepEqual(await find('search=z-&unassigned=true'), [['Z-3'], '']);
});
