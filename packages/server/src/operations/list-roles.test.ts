import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign, roleEntry } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

interface Page {
  readonly roles: readonly { readonly id: number }[];
  readonly next_cursor: string;
}

async function readPage(target: string): Promise<Page> {
  return (await server.succeed('GET', target)).envelope.data as Page;
}

test('roles are listed by id with their revision, and nothing of another tenant', async () => {
  const { text, envelope } = await server.succeed('GET', '/roles');
  assert.deepEqual((envelope.data as Page).roles[0], { ...roleEntry, revision: 1 });
  assert.match(text, /\},\{"id":9007199254740993,"name":"Manager",[^}]*"revision":1\}\],"next_cursor":""/);
  const theirs = await server.succeed('GET', '/roles', undefined, { as: applications.other });
  const { roles } = theirs.envelope.data as Page;
  assert.deepEqual(
    roles.map(({ id }) => id),
    [Number(foreign.roleId)],
  );
});

test('pages of every size list each role once and end with an empty cursor', async () => {
  for (let id = 100; id < 123; id += 1) await server.succeed('POST', '/role', { id, name: 'R' });
  const all = (await readPage('/roles?limit=500')).roles.map(({ id }) => id);
  assert.equal(all.length, 25);
  for (const limit of [1, 5, 12, 24, 25]) {
    const seen: number[] = [];
    let cursor = '';
    let pages = 0;
    do {
      const page: Page = await readPage(`/roles?limit=${limit}&cursor=${cursor}`);
      assert(page.roles.length <= limit);
      seen.push(...page.roles.map(({ id }) => id));
      cursor = page.next_cursor;
      pages += 1;
      assert(pages <= all.length, 'the pages come to an end');
    } while (cursor !== '');
    assert.deepEqual(seen, all);
    assert.equal(pages, Math.ceil(25 / limit));
  }
});

test('a role added after the cursor is on a later page, and a removed role does not end the list', async () => {
  const page = await readPage('/roles?limit=2');
  await server.succeed('DELETE', `/role?id=${page.roles[1]?.id}`);
  const next = await readPage(`/roles?limit=1&cursor=${page.next_cursor}`);
  assert.equal(next.roles[0]?.id, 101);
});

test('a limit out of range and a foreign cursor are 1001', async () => {
  for (const limit of ['0', '-1', '501', 'x', '1.5']) {
    await server.refuse(1001, /^limit must be/, ['GET', `/roles?limit=${limit}`]);
  }
  const { next_cursor } = (await server.succeed('GET', '/stores?limit=1')).envelope.data as Page;
  for (const cursor of ['x', '!!!', 'W10', 'bnVsbA', next_cursor]) {
    await server.refuse(1001, /^cursor must be the next_cursor/, ['GET', `/roles?cursor=${cursor}`]);
  }
});
