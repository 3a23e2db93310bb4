import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@fieldroster/contract';
import { ConsoleBrowser, owner, uuidV7 } from '../../../test/console-browser.ts';
import { overriding } from '../../../test/overriding.ts';
import { readAuditRows } from '../../../test/read-audit-rows.ts';
import { role, storeCodes } from '../../../test/sample-directory.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { Database } from '../../database/database.ts';

let server: TestServer;
let page: ConsoleBrowser;

before(async () => {
  server = await startTestServer();
  page = new ConsoleBrowser(server);
  await page.join('manager', owner);
});

after(() => server.close());

interface Changed {
  readonly changed: number;
  readonly users: readonly {
    readonly username: string;
    readonly revision: number;
    readonly changes: readonly { readonly field: string; readonly from: string; readonly to: string }[];
    readonly stores_added: readonly string[];
    readonly stores_removed: readonly string[];
  }[];
}

const [first = '', second = '', third = ''] = storeCodes;

async function change(body: object): Promise<Changed> {
  const { data } = await page.succeed('POST', `/tenants/${server.tenantId}/change-users`, body);
  return data as unknown as Changed;
}

async function pair(name: string): Promise<{ username: string }[]> {
  await server.createUser(`${name}.a`, { store_codes: [first, second] });
  await server.createUser(`${name}.b`, { store_codes: [second] });
  return [{ username: `${name}.a` }, { username: `${name}.b` }];
}

async function userNamed(username: string) {
  const { envelope } = await server.succeed('GET', `/users?search=${username}`);
  const [user] = (envelope.data as { users: { id: number; status: string; roles: { id: number }[] }[] })
    .users;
  assert(user !== undefined);
  const stores = await server.succeed('GET', `/user/store?user_id=${user.id}`);
  const codes = (stores.envelope.data as { stores: { code: string }[] }).stores.map(({ code }) => code);
  return { status: user.status, roles: user.roles.map(({ id }) => id), codes };
}

test('a preview says what would change for each user and changes nothing; the change then does exactly that', async () => {
  const users = await pair('preview');
  const wanted = {
    role_id: role.id,
    status: 'disabled',
    add_store_codes: [first, third],
    remove_store_codes: [second],
  };
  const preview = await change({ ...wanted, users, dry_run: true });
  assert.deepEqual((await userNamed('preview.a')).codes, [first, second]);
  assert.equal(preview.changed, 2);
  assert.deepEqual(
    preview.users.map(({ stores_added, stores_removed }) => [stores_added, stores_removed]),
    [
      [[third], [second]],
      [[first, third], [second]],
    ],
  );
  assert.deepEqual(
    preview.users[0]?.changes.map(({ field }) => field),
    ['role', 'status'],
  );
  const expected = preview.users.map(({ username, revision }) => ({ username, revision }));
  const path = `/tenants/${server.tenantId}/change-users`;
  const { headers } = await page.succeed('POST', path, { ...wanted, users: expected });
  for (const { username } of users) {
    assert.deepEqual(await userNamed(username), {
      status: 'disabled',
      roles: [Number(role.id)],
      codes: [first, third],
    });
  }
  const rows = await readAuditRows(server.db, headers.get('X-Request-Id') ?? '');
  assert.equal(rows.length, 2, 'one row for each user');
  const again = await change({ ...wanted, users, dry_run: true });
  assert.equal(again.changed, 0);
});

test('a role id of 0 takes the role away', async () => {
  const users = await pair('without');
  await change({ users, role_id: role.id });
  await change({ users, role_id: 0 });
  assert.deepEqual((await userNamed('without.a')).roles, []);
});

test('nothing changes when one of the users was changed after the preview, or is gone', async () => {
  const users = await pair('stale');
  const preview = await change({ users, status: 'disabled', dry_run: true });
  await change({ users: users.slice(1), add_store_codes: [first] });
  const expected = preview.users.map(({ username, revision }) => ({ username, revision }));
  const path = `/tenants/${server.tenantId}/change-users`;
  const stale = await page.call('POST', path, { users: expected, status: 'disabled' });
  assert.equal(stale.code, 1017);
  const gone = await page.call('POST', path, {
    users: [...users, { username: 'nobody' }],
    status: 'disabled',
  });
  assert.equal(gone.code, 1101);
  for (const { username } of users) assert.equal((await userNamed(username)).status, 'active');
});

test('unknown targets and repeated users are refused by name, and a repeated request takes effect once', async () => {
  const users = await pair('refused');
  const path = `/tenants/${server.tenantId}/change-users`;
  for (const [body, code] of [
    [{ users, role_id: 4711 }, 1201],
    [{ users, org_id: 4711 }, 1301],
    [{ users, add_store_codes: ['no such store'] }, 1401],
    [{ users: [...users, ...users], status: 'disabled' }, 1001],
  ] as const) {
    assert.equal((await page.call('POST', path, body)).code, code);
  }
  const headers = { 'Change-Id': uuidV7(server.nowMs) };
  assert.equal((await page.call('POST', path, { users, status: 'disabled' }, headers)).code, 0);
  assert.equal((await page.call('POST', path, { users, status: 'active' }, headers)).code, 1015);
});

test('a change of many users lets another call go first whenever it has used up a slice of time', async (t) => {
  const order: string[] = [];
  // A whole number: a difference between fractions may come out a little less than a slice.
  const startedMs = Math.ceil(performance.now());
  let passedMs = 0;
  /** Takes as long as a slice may, while another call waits. */
  const takeWholeSlice = () => {
    passedMs += 5;
    order.push('user');
    setImmediate(() => order.push('other call'));
  };
  const watched = await startTestServer({
    wrapDatabase: (database) => watchStatus(database, takeWholeSlice),
  });
  t.after(() => watched.close());
  const browser = new ConsoleBrowser(watched);
  await browser.join('manager', owner);
  const users = ['a', 'b', 'c', 'd'].map((username) => ({ username }));
  for (const { username } of users) await watched.createUser(username);
  const { mock } = t.mock.method(performance, 'now', () => startedMs + passedMs);
  const path = `/tenants/${watched.tenantId}/change-users`;
  await browser.succeed('POST', path, { users, status: 'disabled' });
  mock.restore();
  assert.deepEqual(
    order,
    users.flatMap(() => ['user', 'other call']),
  );
});

/** Calls `onStatus` whenever a write sets the status of a user. */
function watchStatus(database: Database, onStatus: () => void): Database {
  const write: Database['write'] = (tenantId, claim, work) =>
    database.write(tenantId, claim, (directory) => {
      const { users } = directory;
      const setUserStatus: typeof users.setUserStatus = async (...args) => {
        await users.setUserStatus(...args);
        onStatus();
      };
      return work(overriding(directory, { users: overriding(users, { setUserStatus }) }));
    });
  return overriding(database, { write });
}

test('a change of more stores than one may have is refused before anything is read, and only if it is about stores', async () => {
  const users = Array.from({ length: 201 }, (_, index) => ({ username: `unknown.${index}` }));
  const path = `/tenants/${server.tenantId}/change-users`;
  const add_store_codes = Array.from({ length: 1000 }, (_, index) => `U-${index}`);
  const refused = await page.call('POST', path, { users, add_store_codes, dry_run: true });
  assert.equal(refused.code, 1001);
  assert.match(
    refused.message,
    /^the users have more than 200000 stores, counting those to add; change fewer/,
  );
  assert.equal((await page.call('POST', path, { users, status: 'disabled', dry_run: true })).code, 1101);
});

test('the stores that users have already count, and no user gets more than a user may have', async () => {
  const codes = Array.from({ length: limits.storeCodesMax }, (_, index) => `M-${index}`);
  for (let start = 0; start < codes.length; start += 10_000) {
    const stores = codes.slice(start, start + 10_000).map((code) => ({ code, name: 'Store' }));
    await server.succeed('POST', '/stores', { stores });
  }
  const users = ['one', 'two', 'three', 'four', 'five'].map((name) => ({ username: `many.${name}` }));
  for (const { username } of users) await server.createUser(username, { store_codes: codes });
  const path = `/tenants/${server.tenantId}/change-users`;
  const all = await page.call('POST', path, { users, remove_store_codes: ['M-1'] });
  assert.match(all.message, /^the users have more than 200000 stores/);
  const oneMore = await page.call('POST', path, { users: users.slice(0, 1), add_store_codes: [first] });
  assert.equal(oneMore.code, 1001);
  assert.match(
    oneMore.message,
    /^a user may have at most 50000 stores, and user "many.one" would have 50001: unbind some/,
  );
  const less = await change({ users: users.slice(0, 1), remove_store_codes: ['M-1'], dry_run: true });
  assert.equal(less.changed, 1);
});
