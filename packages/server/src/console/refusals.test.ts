import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, operatorPassword, owner, uuidV7 } from '../../test/console-browser.ts';
import { applications, startTestServer, type TestServer } from '../../test/test-server.ts';

describe('what the console refuses', () => {
  let server: TestServer;
  let page: ConsoleBrowser;
  const { appId } = applications.main;

  before(async () => {
    server = await startTestServer();
    page = new ConsoleBrowser(server);
    await page.join('mo', owner);
  });

  after(() => server.close());

  async function refusal(code: number, ...call: Parameters<ConsoleBrowser['call']>): Promise<string> {
    const reply = await page.call(...call);
    assert.equal(reply.code, code, `${call.slice(0, 2).join(' ')}: ${reply.message}`);
    return reply.message;
  }

  test('a tenant that does not exist, even for an operator of all tenants', async () => {
    for (const tenant of ['99999', '0']) {
      const at = `/tenants/${tenant}`;
      await refusal(1606, 'GET', `${at}/users`);
      await refusal(1606, 'POST', `${at}/user`, { username: 'nobody' });
      await refusal(1606, 'POST', `${at}/applications`, { name: 'x', scope: 'read' });
    }
    const { data } = await page.succeed('POST', '/tenants', { name: 'new' });
    await page.succeed('GET', `/tenants/${(data as unknown as { id: number }).id}/users`);
  });

  test('times outside the range of a date', async () => {
    const path = `/tenants/${server.tenantId}`;
    for (const expires_at of [8_640_000_000_000_001, 9_223_372_036_854_775_807n, -1]) {
      const message = await refusal(1001, 'PUT', `${path}/applications`, { app_id: appId, expires_at });
      assert.match(message, /^expires_at must be a time from 1 to 8640000000000000/);
    }
    const cursor = Buffer.from('[{"n":"9223372036854775807"},"x"]').toString('base64url');
    assert.match(await refusal(1001, 'GET', `${path}/failed-calls?cursor=${cursor}`), /^cursor must be/);
  });

  test('the cursor of another list', async () => {
    for (const username of ['a', 'b']) await server.createUser(username);
    for (const username of ['li', 'wu']) await new ConsoleBrowser(server).join(username, owner);
    const at = `/tenants/${server.tenantId}`;
    const lists = [`${at}/find-users`, `${at}/find-users?updated_since=0`, `${at}/events`, '/events'];
    const withQuery = (list: string, query: string) => `${list}${list.includes('?') ? '&' : '?'}${query}`;
    for (const list of lists) {
      const { data } = await page.succeed('GET', withQuery(list, 'limit=1'));
      const { next_cursor } = data as unknown as { next_cursor: string };
      assert.notEqual(next_cursor, '', list);
      await page.succeed('GET', withQuery(list, `cursor=${next_cursor}`));
      for (const other of [...lists, `${at}/failed-calls`].filter((one) => one !== list)) {
        const message = await refusal(1001, 'GET', withQuery(other, `cursor=${next_cursor}`));
        assert.match(message, /^cursor must be the next_cursor that this operation returned/);
      }
    }
  });

  test('names with control characters or white space around them', async () => {
    for (const name of [' ', ' acme', 'a\nb']) {
      assert.match(await refusal(1001, 'POST', '/tenants', { name }), /^name must be free of control/);
      await refusal(1001, 'POST', `/tenants/${server.tenantId}/applications`, { name, scope: 'read' });
    }
  });

  test('a short password, with the minimum and its own length', async () => {
    const passwords = { password: operatorPassword, new_password: 'elevenchars' };
    assert.equal(
      await refusal(1001, 'PUT', '/password', passwords),
      'new_password must be at least 12 characters; it has 11',
    );
  });

  test('a change that was made already, in words that fit a page', async () => {
    const headers = { 'Change-Id': uuidV7(server.nowMs) };
    await page.succeed('POST', '/tenants', { name: 'once' }, headers);
    const message = await refusal(1015, 'POST', '/tenants', { name: 'once' }, headers);
    assert.equal(message, 'this change was already made; reload the page to see it');
  });

  test('a name that is taken, without recording the change as made', async () => {
    const headers = { 'Change-Id': uuidV7(server.nowMs) };
    await refusal(1613, 'POST', '/tenants', { name: 'default' }, headers);
    await refusal(1613, 'POST', '/tenants', { name: 'default' }, headers);
  });

  test('a tenant whose name could not be told from that of another', async () => {
    await page.succeed('POST', '/tenants', { name: 'caf\u00e9' });
    assert.equal(
      await refusal(1613, 'POST', '/tenants', { name: 'cafe\u0301' }),
      'the tenant "caf\u00e9" exists and its name looks the same (it differs only in code points); choose another name',
    );
    for (const name of ['default\u200d', 'default\ufe0f']) {
      const taken = await refusal(1613, 'POST', '/tenants', { name });
      assert.match(taken, /^the tenant "default" exists and its name looks the same/);
    }
    for (const [name, character] of [
      ['def\u200bault', 'U+200B'],
      ['default\u061c', 'U+061C'],
      ['two\u2028lines', 'U+2028'],
      ['default\u2800', 'U+2800'],
      ['def\u00adault', 'U+00AD'],
      ['default\u3164', 'U+3164'],
    ] as const) {
      assert.equal(
        await refusal(1001, 'POST', '/tenants', { name }),
        `the name of a tenant must be free of invisible characters and line separators; it has ${character}: delete it`,
      );
    }
  });
});
