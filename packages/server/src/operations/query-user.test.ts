import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, bigRole, org, orgEntry, role, roleEntry } from '../../test/sample-directory.ts';
import { emptyProfile } from '../../test/sample-profile.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const id = await server.createUser('query.me', { real_name: 'Query Me', phone: '123' });
const otherId = await server.createUser('query.other');
const foreignId = await server.createUser('query.foreign', {}, applications.other);

const expected = {
  id,
  username: 'query.me',
  ...emptyProfile,
  real_name: 'Query Me',
  phone: '123',
  roles: [],
  orgs: [],
};

test('a query by id returns the user with every field but no password', async () => {
  const answer = await server.succeed('GET', `/user?user_id=${id}`);
  assert.deepEqual(answer.envelope, { code: 0, message: '', data: expected });
});

test('a query by username returns the same', async () => {
  const answer = await server.succeed('GET', '/user?username=query.me');
  assert.deepEqual(answer.envelope, { code: 0, message: '', data: expected });
});

test('both parameters of the same user are accepted', async () => {
  const answer = await server.succeed('GET', `/user?user_id=${id}&username=query.me`);
  assert.deepEqual(answer.envelope.data, expected);
});

test('a read leaves no audit row', async () => {
  const answer = await server.succeed('GET', `/user?user_id=${id}`);
  assert.deepEqual(await server.auditOf(answer), []);
});

test('the bound role and organization are returned with all their fields', async () => {
  const bound = await server.createUser('query.bound');
  await server.succeed('POST', '/user/role', { user_id: bound, role_id: role.id });
  await server.succeed('POST', '/user/org', { user_id: bound, org_id: org.id });
  const { roles, orgs } = await server.queryUser(bound);
  assert.deepEqual(roles, [roleEntry]);
  assert.deepEqual(orgs, [orgEntry]);
});

test('ids beyond 2^53 keep every digit, and a role without a code has no such field', async () => {
  const bound = await server.createUser('query.big');
  await server.succeed('POST', '/user/role', { user_id: bound, role_id: bigRole.id });
  await server.succeed('POST', '/user/org', { user_id: bound, org_id: bigOrg.id });
  const { text } = await server.succeed('GET', `/user?user_id=${bound}`);
  const roles =
    '"roles":[{"id":9007199254740993,"name":"Manager","system_id":9223372036854775807,"order":0,"description":""}]';
  assert(text.includes(roles), text);
  assert(text.includes('"orgs":[{"id":9223372036854775807,"name":"North","parent_id":1}]'), text);
});

test('a user id beyond 2^53 is found exactly, and its neighbours are not', async () => {
  const [big, neighbour] = ['9007199254740993', '9007199254740992'];
  await server.db
    .updateTable('user')
    .set({ id: BigInt(big) })
    .where('id', '=', BigInt(await server.createUser('query.id.big')))
    .execute();
  const { text } = await server.succeed('GET', `/user?user_id=${big}`);
  assert(text.startsWith(`{"code":0,"message":"","data":{"id":${big},"username":"query.id.big"`), text);
  await server.refuse(1101, new RegExp(neighbour), ['GET', `/user?user_id=${neighbour}`]);
});

test('the extremes of int64 are read exactly', async () => {
  await server.refuse(1101, /9223372036854775807/, ['GET', '/user?user_id=9223372036854775807']);
  await server.refuse(1101, /-9223372036854775808/, ['GET', '/user?user_id=-9223372036854775808']);
});

test('a user_id with leading zeros is the same integer', async () => {
  await server.succeed('GET', `/user?user_id=00${id}`);
});

test('a plus sign before the digits is accepted if it was signed as a plus sign', async () => {
  await server.succeed('GET', `/user?user_id=%2B${id}`);
  await server.succeed('GET', `/user?user_id=+${id}`, undefined, { plus: 'literal' });
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['neither parameter', '', /^user_id or username is required; here the id is sent as user_id, not as id$/],
  ['empty parameters', '?user_id=&username=', /^user_id or username is required; /],
  ['a user_id of 0 beside an empty username', '?user_id=0&username=', /^user_id or username is required; /],
  [
    'the name of another operation',
    '?id=1',
    /^user_id or username is required; here the id is sent as user_id, not as id$/,
  ],
  ['a user_id that is a word', '?user_id=abc', /^user_id must be an integer/],
  ['a user_id with a fraction', '?user_id=1.0', /^user_id must be an integer/],
  ['a user_id with an exponent', '?user_id=1e2', /^user_id must be an integer/],
  ['a user_id in hexadecimal', '?user_id=0x1', /^user_id must be an integer/],
  ['a user_id with a space', '?user_id=%201', /^user_id must be an integer/],
  ['a user_id above int64', '?user_id=9223372036854775808', /^user_id must be an integer from -9223/],
  ['a user_id below int64', '?user_id=-9223372036854775809', /^user_id must be an integer from -9223/],
  ['a repeated user_id', '?user_id=1&user_id=1', /^user_id must be given once, not 2 times$/],
  ['a repeated username', '?username=a&username=b', /^username must be given once/],
  ['a username of 51 characters', `?username=${'x'.repeat(51)}`, /^username must be at most 50 characters/],
  ['malformed percent-encoding', '?username=%zz', /percent|"%"/],
  ['percent-encoding that is not UTF-8', '?username=%ff', /UTF-8/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    const signable = /%(zz|ff)/.test(query) ? { signedTarget: '/user' } : {};
    await server.refuse(1001, message, ['GET', `/user${query}`, undefined, signable]);
  });
}

test('an unknown id is 1101 and the message names it', async () => {
  await server.refuse(1101, /^no user has id 987654$/, ['GET', '/user?user_id=987654']);
});

test('an unknown username is 1101 and the message names it', async () => {
  await server.refuse(1101, /^no user has username "nobody"$/, ['GET', '/user?username=nobody']);
});

test('an unknown id is 1101 even with a username that exists', async () => {
  await server.refuse(1101, /987654/, ['GET', '/user?user_id=987654&username=query.me']);
});

test('an id and a username of different users are 1103', async () => {
  await server.refuse(1103, /query\.other/, ['GET', `/user?user_id=${id}&username=query.other`]);
  await server.refuse(1103, /nobody/, ['GET', `/user?user_id=${otherId}&username=nobody`]);
});

test('a user_id of 0 beside a username, as typed clients send it, counts as left out', async () => {
  const answer = await server.succeed('GET', '/user?user_id=0&username=query.me');
  assert.equal((answer.envelope.data as { id: number }).id, id);
});

test('a user_id of 0 alone names nobody', async () => {
  await server.refuse(1101, /id 0/, ['GET', '/user?user_id=0']);
});

test("another tenant's user is unknown, by id and by username", async () => {
  await server.refuse(1101, /id/, ['GET', `/user?user_id=${foreignId}`]);
  await server.refuse(1101, /query\.foreign/, ['GET', '/user?username=query.foreign']);
  const answer = await server.succeed('GET', `/user?user_id=${foreignId}`, undefined, {
    as: applications.other,
  });
  assert.equal((answer.envelope.data as { username: string }).username, 'query.foreign');
});

test('usernames in any script are found by their percent-encoding', async () => {
  const odd = await server.createUser('名 & 🦜=+%');
  const answer = await server.succeed('GET', `/user?username=${encodeURIComponent('名 & 🦜=+%')}`);
  assert.equal((answer.envelope.data as { id: number }).id, odd);
});

test('an application with the scope read is served', async () => {
  await server.succeed('GET', `/user?user_id=${id}`, undefined, { as: applications.reader });
});
