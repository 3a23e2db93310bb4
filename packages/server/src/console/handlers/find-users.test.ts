import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConsoleBrowser, owner } from '../../../test/console-browser.ts';
import { fillStores } from '../../../test/sample-directory.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let page: ConsoleBrowser;
const ids = new Map<string, number>();

before(async () => {
  server = await startTestServer();
  page = new ConsoleBrowser(server);
  await page.join('owner', owner);
  await fillStores(server.db, server.tenantId, ['Z-1', 'Z-2', 'Z-3']);
  for (const [username, store_codes] of Object.entries({ two: ['Z-1', 'Z-2'], none: [], one: ['Z-2'] }))
    ids.set(username, await server.createUser(username, { store_codes }));
});

after(() => server.close());

async function ask<Answer>(path: string): Promise<Answer> {
  const { data } = await page.succeed('GET', `/tenants/${server.tenantId}/${path}`);
  return data as unknown as Answer;
}

interface Found {
  readonly users: readonly { readonly username: string; readonly store_count: number }[];
  readonly next_cursor: string;
}

const countsOf = ({ users }: Found) => users.map(({ username, store_count }) => [username, store_count]);

test('users are listed with how many stores each has, page by page', async () => {
  const first = await ask<Found>('find-users?limit=2');
  assert.deepEqual(countsOf(first), [
    ['two', 2],
    ['none', 0],
  ]);
  const second = await ask<Found>(`find-users?limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(countsOf(second), [['one', 1]]);
  assert.equal(second.next_cursor, '');
});

test('users are counted with and without filters', async () => {
  assert.deepEqual(await ask('count-users'), { users: 3, is_more: false });
  assert.deepEqual(await ask('count-users?unbound=store'), { users: 1, is_more: false });
  assert.deepEqual(await ask('count-users?store_code=Z-2'), { users: 2, is_more: false });
  assert.deepEqual(await ask('count-users?search=tw'), { users: 1, is_more: false });
});

test('include_children without org_id is 1001, and false is no filter', async () => {
  for (const operation of ['count-users', 'find-users']) {
    const at = `/tenants/${server.tenantId}/${operation}`;
    const answer = await page.call('GET', `${at}?include_children=true`);
    assert.deepEqual([answer.code, answer.message.split(':')[0]], [1001, 'include_children needs org_id']);
    await page.succeed('GET', `${at}?include_children=false`);
  }
});

test('users of a role, an organization or a store that does not exist are not counted as none', async () => {
  for (const [filter, code] of Object.entries({
    'role_id=5': 1201,
    'org_id=5': 1301,
    'store_code=q': 1401,
  })) {
    for (const operation of ['count-users', 'find-users']) {
      const answer = await page.call('GET', `/tenants/${server.tenantId}/${operation}?${filter}`);
      assert.equal(answer.code, code, `${operation}?${filter}`);
    }
  }
});

test('the total of more users than a count goes through is that of the whole directory', async () => {
  for (let batch = 0; batch < 11; batch++) {
    const users = Array.from({ length: 1000 }, (_, index) => ({ username: `many.${batch}.${index}` }));
    await server.succeed('POST', '/users/batch', { users });
  }
  assert.deepEqual(await ask('count-users?unbound=store'), { users: 10_000, is_more: true });
  assert.deepEqual(await ask('count-users'), { users: 11_003, is_more: false });
});

test('stores are counted, and those that nobody looks after', async () => {
  assert.deepEqual(await ask('count-stores?search=z-'), { stores: 3, is_more: false });
  assert.deepEqual(await ask('count-stores?search=z-&unassigned=true'), { stores: 1, is_more: false });
});

test('a user has its status and its revision, and one of another tenant is unknown', async () => {
  const id = ids.get('one');
  const details = `user-details?user_id=${id}`;
  const before = await ask<{ status: string; revision: number }>(details);
  assert.equal(before.status, 'active');
  await page.succeed('PUT', `/tenants/${server.tenantId}/user/status`, { id, status: 'disabled' });
  const { status, revision, ...user } = await ask<{ status: string; revision: number }>(details);
  assert.deepEqual([status, revision > before.revision], ['disabled', true]);
  assert.deepEqual(user, await ask(`user?user_id=${id}`));
  const { code } = await page.call('GET', `/tenants/${server.otherTenantId}/${details}`);
  assert.equal(code, 1101);
});
