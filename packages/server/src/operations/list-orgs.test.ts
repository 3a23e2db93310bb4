import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, foreign, orgEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

test('organizations are listed by id with their revision, and nothing of another tenant', async () => {
  const { text } = await server.succeed('GET', '/orgs');
  const north = `{"id":${bigOrg.text},"name":"North","parent_id":1,"revision":1}`;
  const orgs = `[${JSON.stringify({ ...orgEntry, revision: 1 })},${north}]`;
  assert.equal(text, `{"code":0,"message":"","data":{"orgs":${orgs},"next_cursor":""}}`);
  const theirs = await server.succeed('GET', '/orgs', undefined, { as: applications.other });
  const root = { id: Number(foreign.orgId), name: 'Foreign organization', parent_id: 0, revision: 1 };
  assert.deepEqual(theirs.envelope.data, { orgs: [root], next_cursor: '' });
});

test('the cursor of a page leads to the next one, and the last page has none', async () => {
  const first = await server.succeed('GET', '/orgs?limit=1');
  const { orgs, next_cursor } = first.envelope.data as { orgs: unknown[]; next_cursor: string };
  assert.deepEqual(orgs, [{ ...orgEntry, revision: 1 }]);
  const last = await server.succeed('GET', `/orgs?limit=1&cursor=${next_cursor}`);
  assert.match(last.text, new RegExp(`${bigOrg.text}.*"next_cursor":""`));
});

test('a foreign cursor is 1001', async () => {
  await server.refuse(1001, /^cursor must be/, ['GET', '/orgs?cursor=WyJ4Il0']);
});
