import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fillStores, foreign, storeCodes, storeEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

interface Page {
  readonly stores: readonly { readonly code: string }[];
  readonly next_cursor: string;
}

async function readPage(target: string): Promise<Page> {
  return (await server.succeed('GET', target)).envelope.data as Page;
}

test('stores are listed by code with their revision, and nothing of another tenant', async () => {
  const stores = storeCodes.map((code) => ({ ...storeEntry(code), revision: 1 }));
  assert.deepEqual(await readPage('/stores'), { stores, next_cursor: '' });
  const theirs = await server.succeed('GET', '/stores', undefined, { as: applications.other });
  const foreignStore = { ...storeEntry(foreign.storeCode), revision: 1 };
  assert.deepEqual(theirs.envelope.data, { stores: [foreignStore], next_cursor: '' });
});

test('without a limit a page has 50 entries; codes of any script appear once, in code point order', async () => {
  const codes = Array.from({ length: 100 }, (_, index) => `T${1000 + index}`);
  const others = ['"', 'a', '店 1', '\uffe6', '🏬'];
  await fillStores(server.db, server.tenantId, [...codes, ...others]);
  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor = '';
  do {
    const page: Page = await readPage(`/stores?cursor=${cursor}`);
    seen.push(...page.stores.map(({ code }) => code));
    sizes.push(page.stores.length);
    cursor = page.next_cursor;
  } while (cursor !== '');
  assert.deepEqual(seen, ['"', ...storeCodes, ...codes, ...others.slice(1)]);
  assert.deepEqual(sizes, [50, 50, 8]);
});

const forged = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');

test('any cursor that no list returned is 1001', async () => {
  const keys = [[{ n: '1' }], ['a', 'b'], [], 'a', null, 5, ['\0'], ['\ud800'], [null]];
  for (const key of keys) {
    const target = `/stores?cursor=${forged(key)}`;
    await server.refuse(1001, /^cursor must be the next_cursor/, ['GET', target]);
  }
});
