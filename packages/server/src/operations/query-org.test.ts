import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, foreign, orgEntry } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

test('an organization is returned with its revision, which the ETag has too; a root has parent 0', async () => {
  const { envelope, headers } = await server.succeed('GET', '/org?id=1');
  assert.deepEqual(envelope.data, { ...orgEntry, revision: 1 });
  assert.equal(headers.etag, '"1"');
});

test('the largest id keeps every digit', async () => {
  const { text } = await server.succeed('GET', `/org?id=${bigOrg.text}`);
  const data = `{"id":${bigOrg.text},"name":"North","parent_id":1,"revision":1}`;
  assert.equal(text, `{"code":0,"message":"","data":${data}}`);
});

test('an unknown organization is 1301, and so is one of another tenant', async () => {
  await server.refuse(1301, /^no organization has id 4711$/, ['GET', '/org?id=4711']);
  await server.refuse(1301, /^no organization has id 900$/, ['GET', `/org?id=${foreign.orgId}`]);
});

test('a missing id is 1001', async () => {
  await server.refuse(1001, /^id must not be empty$/, ['GET', '/org?id=']);
});
