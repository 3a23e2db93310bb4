import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

interface Page {
  readonly users: readonly { readonly id: number }[];
  readonly next_cursor: string;
}

test('the users who look after a store are listed by id, with name, telephone and status', async () => {
  const fields = { real_name: '张伟', phone: '555', store_codes: ['S001', 'S002'] };
  const [a, b] = [await server.createUser('rep.a', fields), await server.createUser('rep.b', fields)];
  await server.createUser('elsewhere', { store_codes: ['S002'] });
  const { envelope } = await server.succeed('GET', '/store/users?store_code=S001');
  const entry = { real_name: '张伟', phone: '555', status: 'active' };
  assert.deepEqual(envelope.data, {
    users: [
      { id: a, username: 'rep.a', ...entry },
      { id: b, username: 'rep.b', ...entry },
    ],
    next_cursor: '',
  });
});

test('a store that nobody looks after has an empty list', async () => {
  const { text } = await server.succeed('GET', '/store/users?store_code=S003');
  assert.equal(text, '{"code":0,"message":"","data":{"users":[],"next_cursor":""}}');
});

test('pages list each user once', async () => {
  await server.succeed('POST', '/store', { code: 'CROWD', name: 'N' });
  const ids: number[] = [];
  for (let index = 0; index < 7; index += 1) {
    ids.push(await server.createUser(`crowd.${index}`, { store_codes: ['CROWD'] }));
  }
  const seen: number[] = [];
  let cursor = '';
  do {
    const target = `/store/users?store_code=CROWD&limit=3&cursor=${cursor}`;
    const page = (await server.succeed('GET', target)).envelope.data as Page;
    seen.push(...page.users.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== '');
  assert.deepEqual(seen, ids);
});

test('users of another tenant who are bound to a store with the same code are not listed', async () => {
  const other = { as: applications.other };
  await server.succeed('POST', '/store', { code: 'S003', name: 'Theirs' }, other);
  await server.createUser('their.rep', { store_codes: ['S003'] }, applications.other);
  const { text } = await server.succeed('GET', '/store/users?store_code=S003');
  assert.match(text, /"users":\[\]/);
});

test('an unknown store is 1401, and so is one of another tenant', async () => {
  for (const code of ['none', foreign.storeCode]) {
    await server.refuse(1401, /^the store does not exist/, ['GET', `/store/users?store_code=${code}`]);
  }
});

test('a missing store_code and a forged cursor are 1001', async () => {
  await server.refuse(1001, /^store_code is required$/, ['GET', '/store/users']);
  await server.refuse(1001, /^cursor must/, ['GET', '/store/users?store_code=S001&cursor=WyJ4Il0']);
});
