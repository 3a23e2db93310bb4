import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
const strict = await startTestServer({ settings: { replay: 'nonce' } });
after(() => Promise.all([server.close(), strict.close()]));

async function queryStore(code: string): Promise<unknown> {
  return (await server.succeed('GET', `/store?code=${encodeURIComponent(code)}`)).envelope.data;
}

test('new stores are created, changed ones updated, and the rest left alone', async () => {
  const stores = [
    { code: 'NEW 🏬', name: 'New', address: 'There' },
    { code: 'S001', name: 'Renamed' },
    { code: 'S002', name: 'Store S002', address: '' },
    storeEntry('S003'),
    { code: 'BARE', name: 'Bare', address: null },
  ];
  const answer = await server.succeed('POST', '/stores', { stores });
  assert.deepEqual(answer.envelope.data, { applied: true, created: 2, updated: 2, unchanged: 1 });
  assert.deepEqual(await queryStore('NEW 🏬'), { ...stores[0], revision: 1 });
  assert.deepEqual(await queryStore('S001'), { ...storeEntry('S001'), name: 'Renamed', revision: 2 });
  assert.deepEqual(await queryStore('S002'), { ...storeEntry('S002'), address: '', revision: 2 });
  assert.deepEqual(await queryStore('S003'), { ...storeEntry('S003'), revision: 1 });
  assert.deepEqual(await queryStore('BARE'), { code: 'BARE', name: 'Bare', address: '', revision: 1 });

  const rows = await server.auditOf(answer);
  assert.deepEqual(
    rows.map(({ changes }) => changes),
    [
      { created: 2, updated: 2, unchanged: 1 },
      { code: 'NEW 🏬', name: { to: 'New' }, address: { to: 'There' } },
      { code: 'BARE', name: { to: 'Bare' } },
      { code: 'S001', name: { from: 'Store S001', to: 'Renamed' } },
      { code: 'S002', address: { from: 'S002 Main Street', to: '' } },
    ],
  );
  assert(rows.every(({ operation, userId }) => operation === 'upsert-stores' && userId === null));
});

test('sending the same stores again changes none, and only the call itself is audited', async () => {
  const stores = [{ code: 'TWICE', name: 'N', address: 'A' }];
  await server.succeed('POST', '/stores', { stores });
  const again = await server.succeed('POST', '/stores', { stores });
  assert.deepEqual(again.envelope.data, { applied: true, created: 0, updated: 0, unchanged: 1 });
  await server.assertAudited(again, 'upsert-stores', undefined, { created: 0, updated: 0, unchanged: 1 });
});

test('a dry run counts what the request would do, changes nothing, and may be sent again unchanged', async () => {
  const known = { code: 'DRY', name: 'Known', address: 'A' };
  const stores = [{ ...known, name: 'Renamed' }, { code: 'DRY NEW', name: 'New' }, storeEntry('S003')];
  for (const atServer of [server, strict]) {
    await atServer.succeed('POST', '/stores', { stores: [known] });
    const before = await atServer.snapshot();
    const dryRun = ['POST', '/stores', { stores, dry_run: true }, { nonce: 'dry' }] as const;
    for (const _ of [1, 2]) {
      const { data } = (await atServer.succeed(...dryRun)).envelope;
      assert.deepEqual(data, { applied: false, created: 1, updated: 1, unchanged: 1 });
      assert.deepEqual(await atServer.snapshot(), before);
    }
    const { data } = (await atServer.succeed('POST', '/stores', { stores, dry_run: false })).envelope;
    assert.deepEqual(data, { applied: true, created: 1, updated: 1, unchanged: 1 });
  }
});

test('a dry run takes the scope of the real request, and refuses what that would refuse', async () => {
  const dryRun = (stores: readonly object[]) => ({ stores, dry_run: true });
  const one = dryRun([{ code: 'ONE', name: 'N' }]);
  await server.refuse(1016, /manage/, ['POST', '/stores', one, { as: applications.reader }]);
  const twice = dryRun(['A', 'A'].map((code) => ({ code, name: 'N' })));
  await server.refuse(1001, /the same as stores\[0\]/, ['POST', '/stores', twice]);
  const text = { ...one, dry_run: 'true' };
  await server.refuse(1001, /^dry_run must be true or false; it is a string$/, ['POST', '/stores', text]);
});

test('a duplicate code is 1001, and the message names both places', async () => {
  const stores = ['A', 'B', 'C', 'B'].map((code) => ({ code, name: 'N' }));
  const message = /^stores\[3\]\.code is "B", the same as stores\[1\]\.code$/;
  await server.refuse(1001, message, ['POST', '/stores', { stores }]);
});

test('an entry that breaks a rule is 1001, the message has its index, and no store is written', async () => {
  const good = { code: 'GOOD', name: 'N' };
  const refused: readonly (readonly [entry: unknown, message: RegExp])[] = [
    [{ code: 'C' }, /^stores\[1\]\.name is required$/],
    [{ name: 'N' }, /^stores\[1\]\.code is required$/],
    [{ code: ' C', name: 'N' }, /^stores\[1\]\.code must be free of/],
    [{ code: 'C', name: 'x'.repeat(256) }, /^stores\[1\]\.name must be at most 255/],
    ['C', /^stores\[1\] must be an object; it is a string$/],
  ];
  for (const [entry, message] of refused) {
    await server.refuse(1001, message, ['POST', '/stores', { stores: [good, entry] }]);
  }
});

test('an empty list, and more than ten thousand stores, are 1001', async () => {
  await server.refuse(1001, /^stores is required$/, ['POST', '/stores', {}]);
  await server.refuse(1001, /^stores must not be empty$/, ['POST', '/stores', { stores: [] }]);
  const stores = Array.from({ length: 10_001 }, (_, index) => ({ code: `C${index}`, name: 'N' }));
  await server.refuse(1001, /^stores must be an array of at most 10000 /, ['POST', '/stores', { stores }]);
});

test('ten thousand stores are created in one request, then updated in one, and another tenant has none', async () => {
  const storesNamed = (name: string) =>
    Array.from({ length: 10_000 }, (_, index) => ({ code: `T${index}`, name, address: `No ${index}` }));
  const created = await server.succeed('POST', '/stores', { stores: storesNamed('First') });
  assert.deepEqual(created.envelope.data, { applied: true, created: 10_000, updated: 0, unchanged: 0 });
  const half = [...storesNamed('Second').slice(0, 5000), ...storesNamed('First').slice(5000)];
  const updated = await server.succeed('POST', '/stores', { stores: half });
  assert.deepEqual(updated.envelope.data, { applied: true, created: 0, updated: 5000, unchanged: 5000 });
  assert.equal((await server.auditOf(updated)).length, 5001);
  const expected = { code: 'T4999', name: 'Second', address: 'No 4999', revision: 2 };
  assert.deepEqual(await queryStore('T4999'), expected);
  const [code, as] = ['T1', applications.other];
  await server.refuse(1401, /"T1"/, ['GET', `/store?code=${code}`, undefined, { as }]);
});

test('one of several simultaneous requests for the same new stores creates each of them', async () => {
  const stores = Array.from({ length: 50 }, (_, index) => ({ code: `RACE${index}`, name: 'N' }));
  const answers = await Promise.all(
    [stores, stores.toReversed(), stores].map((each) => server.succeed('POST', '/stores', { stores: each })),
  );
  const counts = answers.map(({ envelope }) => envelope.data as { created: number; unchanged: number });
  assert.deepEqual(
    counts.map(({ created }) => created).toSorted((a, b) => a - b),
    [0, 0, 50],
  );
  assert.deepEqual(
    counts.map(({ unchanged }) => unchanged).toSorted((a, b) => a - b),
    [0, 50, 50],
  );
});
