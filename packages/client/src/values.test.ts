import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bigOrg, bigRole } from '../../server/test/sample-directory.ts';
import { ClientBench } from '../test/client-bench.ts';
import { FieldrosterClient, UnsafeIdError } from './index.ts';

const awkwardTexts = [
  'a+b c',
  'a & b=c?d#e/f',
  '100% of %2B',
  '李伟 的 门店',
  '👩‍👩‍👧 emoji 🏪',
  'quote \' " back\\slash',
  '1234567890123456789012345',
  '<>&;:,@$!*()[]{}|^`~',
];

describe('awkward values', () => {
  test('come back as they were sent, in bodies and in queries', async () => {
    await using bench = await ClientBench.open({ settings: { basePath: '/api/v1' } });
    const client = bench.client();
    for (const text of awkwardTexts) {
      const created = await client.createUser({
        username: text,
        password: text,
        real_name: text,
        avatar: text,
      });
      assert.deepEqual(
        [created.username, created.password, created.real_name, created.avatar],
        [text, text, text, text],
      );
      const queried = await client.queryUser({ username: text, user_id: created.id });
      assert.equal(queried.username, text);
    }
    assert.equal(
      bench.proxy.seen.length,
      2 * awkwardTexts.length,
      'every signature was right the first time',
    );
    for (const { headers } of bench.proxy.seen) assert.equal(String(headers.nonce).length, 36);
  });

  test('name stores in a query that unbinds', async () => {
    await using bench = await ClientBench.open();
    const codes = ['S+1 &=%', '门店 1', '🏪'];
    const rows = codes.map((code) => ({ tenant_id: bench.server.tenantId, code, name: code, address: '' }));
    await bench.server.db.insertInto('store').values(rows).execute();
    const client = bench.client();
    const { id } = await client.batchUpdateUserStores({ username: 'a', store_codes: codes });
    for (const store_code of codes) await client.unbindUserStore({ user_id: id, store_code });
    assert.deepEqual(await client.queryUserStores({ user_id: id }), { stores: [] });
  });

  test('that are null or undefined are left out', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client();
    const user = { username: 'a', store_codes: ['S001'] };
    const { id } = await client.batchUpdateUserStores(user);
    await client.batchUpdateUserStores({ username: 'a', phone: undefined, store_codes: null });
    const { stores } = await client.queryUserStores({ user_id: id });
    assert.equal(stores.length, 1);
    assert.equal((await client.queryUser({ user_id: null, username: 'a' })).id, id);
  });

  test('that cannot be sent exactly are refused before anything is sent', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client();
    await assert.rejects(client.queryUser({ user_id: 2 ** 53 }), {
      name: 'TypeError',
      message: /as a bigint/,
    });
    await assert.rejects(client.queryUser({ user_id: 1.5 }), {
      name: 'TypeError',
      message: /user_id is 1.5/,
    });
    await assert.rejects(client.bindUserRole({ user_id: Number.NaN, role_id: 1 }), TypeError);
    await assert.rejects(client.queryUser({ username: 'half \ud83d' }), {
      message: /^username must be valid Unicode; it has half of a surrogate pair$/,
    });
    assert.equal(bench.proxy.seen.length, 0);
  });

  test('for if_revision may be null but not undefined, so that no condition is lost', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client();
    const { id } = await client.batchUpdateUserStores({ username: 'a' });
    const lost = { name: 'TypeError', message: /^if_revision is undefined, .*, or null / };
    await assert.rejects(client.updateUser({ id, nickname: 'W', if_revision: undefined }), lost);
    await assert.rejects(client.deleteUser({ user_id: id, if_revision: undefined }), lost);
    assert.equal(bench.proxy.seen.length, 1);
    await client.updateUser({ id, nickname: 'W', if_revision: null });
    assert.equal((await client.queryUser({ user_id: id })).nickname, 'W');
  });
});

describe('ids', () => {
  async function bindBigIds(bench: ClientBench): Promise<void> {
    const client = bench.client();
    const { id } = await client.batchUpdateUserStores({ username: 'a' });
    await client.bindUserRole({ user_id: id, role_id: bigRole.id });
    await client.bindUserOrg({ user_id: id, org_id: bigOrg.id });
  }

  test('are bigint by default and keep every digit', async () => {
    await using bench = await ClientBench.open();
    await bindBigIds(bench);
    const { id, roles, orgs, gender } = await bench.client().queryUser({ username: 'a' });
    assert.equal(typeof id, 'bigint');
    assert.deepEqual(
      roles.map((role) => [role.id, role.system_id, role.order]),
      [[9007199254740993n, 9223372036854775807n, 0]],
    );
    assert.deepEqual(
      orgs.map((org) => [org.id, org.parent_id]),
      [[9223372036854775807n, 1n]],
    );
    assert.equal(gender, 0);
  });

  test('are numbers on request, and one that would be rounded is an error that names it', async () => {
    await using bench = await ClientBench.open();
    await bindBigIds(bench);
    const client = bench.client({ ids: 'number' });
    await assert.rejects(client.queryUser({ username: 'a' }), (error) => {
      assert(error instanceof UnsafeIdError);
      assert.equal(error.value, 9007199254740993n);
      assert.match(error.message, /^id is 9007199254740993, .*ids: 'bigint'/);
      return true;
    });
    const { id } = await client.batchUpdateUserStores({ username: 'b' });
    assert(Number.isSafeInteger(id));
  });
});

test('a deployment that gives every code its own HTTP status is understood', async () => {
  await using bench = await ClientBench.open({ settings: { httpStatus: 'standard' } });
  const client = bench.client();
  await assert.rejects(client.queryUser({ user_id: 4711 }), { code: 1101, httpStatus: 404 });
  await client.createUser({ username: 'a', password: 'b' });
  await assert.rejects(client.createUser({ username: 'a', password: 'b' }), { code: 1102, httpStatus: 409 });
  bench.localMs += 3_600_000;
  bench.proxy.treat = (count) => (count === 5 ? 'drop' : 'deliver');
  await client.createUser({ username: 'c', password: 'd' });
});

describe('a client', () => {
  const options = { url: 'http://127.0.0.1:1', appId: 'app', appSecret: 'a secret that must not show' };

  for (const [name, change, message] of [
    ['a relative URL', { url: '/api' }, /url must be/],
    ['another scheme', { url: 'ftp://host' }, /url must be/],
    ['a query in the URL', { url: 'http://host/?a=1' }, /a host and a base path/],
    ['a password in the URL', { url: 'http://me:secret@host' }, /a host and a base path/],
    ['an APPID with a colon', { appId: 'a:b' }, /appId must be/],
    ['no APPID', { appId: undefined as unknown as string }, /appId must be/],
    ['an APPID that no header can hold', { appId: '应用' }, /./],
    ['an empty secret', { appSecret: '' }, /appSecret must be/],
    ['a time-out of zero', { timeoutMs: 0 }, /timeoutMs must be/],
    ['no attempts', { retry: { attemptsMax: 0 } }, /attemptsMax must be/],
  ] as const) {
    test(`is not created with ${name}`, () => {
      assert.throws(() => new FieldrosterClient({ ...options, ...change }), { name: 'TypeError', message });
    });
  }

  test('shows no part of its secret when printed', async () => {
    const { inspect } = await import('node:util');
    const shown = inspect(new FieldrosterClient(options), { depth: 9, showHidden: true });
    assert(!shown.includes('must not show'));
  });
});
