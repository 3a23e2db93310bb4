import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigRole, role, roleEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const id = await server.createUser('role.query');

test('a user without a role gets an empty array', async () => {
  const { envelope } = await server.succeed('GET', `/user/role?user_id=${id}`);
  assert.deepEqual(envelope, { code: 0, message: '', data: { user_id: id, roles: [] } });
});

test('the bound role is returned with all its fields', async () => {
  const bound = await server.createUser('role.query.bound');
  await server.succeed('POST', '/user/role', { user_id: bound, role_id: role.id });
  const { envelope } = await server.succeed('GET', `/user/role?user_id=${bound}`);
  assert.deepEqual(envelope, { code: 0, message: '', data: { user_id: bound, roles: [roleEntry] } });
});

test('ids beyond 2^53 keep every digit, and a role without a code has no such field', async () => {
  const bound = await server.createUser('role.query.big');
  await server.succeed('POST', '/user/role', { user_id: bound, role_id: bigRole.id });
  const { text } = await server.succeed('GET', `/user/role?user_id=${bound}`);
  assert.equal(
    text,
    `{"code":0,"message":"","data":{"user_id":${bound},"roles":[{"id":9007199254740993,"name":"Manager",` +
      '"system_id":9223372036854775807,"order":0,"description":""}]}}',
  );
});

test('an unknown user is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, ['GET', '/user/role?user_id=987654']);
  await server.refuse(1101, /id -9223372036854775808$/, ['GET', '/user/role?user_id=-9223372036854775808']);
});

test("another tenant's user is unknown", async () => {
  const foreignId = await server.createUser('role.query.foreign', {}, applications.other);
  await server.refuse(1101, /id/, ['GET', `/user/role?user_id=${foreignId}`]);
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['a missing user_id', '', /^user_id is required$/],
  ['an empty user_id', '?user_id=', /^user_id must not be empty$/],
  ['a user_id without a value', '?user_id', /^user_id must not be empty$/],
  ['a user_id that is a word', '?user_id=me', /^user_id must be an integer/],
  ['a repeated user_id', '?user_id=1&user_id=2', /^user_id must be given once/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['GET', `/user/role${query}`]);
  });
}

test('an application with the scope read is served', async () => {
  await server.succeed('GET', `/user/role?user_id=${id}`, undefined, { as: applications.reader });
});
