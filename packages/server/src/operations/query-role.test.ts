import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigRole, foreign, roleEntry } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

test('a role is returned with every field and its revision, which the ETag has too', async () => {
  const { envelope, headers } = await server.succeed('GET', '/role?id=7');
  assert.deepEqual(envelope.data, { ...roleEntry, revision: 1 });
  assert.equal(headers.etag, '"1"');
});

test('an id beyond 2^53 keeps every digit, and a role without a code has no such field', async () => {
  const { text } = await server.succeed('GET', `/role?id=${bigRole.text}`);
  const fields = '"name":"Manager","system_id":9223372036854775807,"order":0,"description":"","revision":1';
  assert.equal(text, `{"code":0,"message":"","data":{"id":${bigRole.text},${fields}}}`);
});

test('an unknown role is 1201, and so is one of another tenant', async () => {
  await server.refuse(1201, /^no role has id 4711$/, ['GET', '/role?id=4711']);
  await server.refuse(1201, /^no role has id 800$/, ['GET', `/role?id=${foreign.roleId}`]);
});

test('a missing or malformed id is 1001', async () => {
  await server.refuse(1001, /^id is required$/, ['GET', '/role']);
  await server.refuse(1001, /^id must be an integer/, ['GET', '/role?id=x']);
});
