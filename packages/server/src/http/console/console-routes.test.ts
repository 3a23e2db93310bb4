import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, describe, test } from 'node:test';
import { operations } from '@fieldroster/contract';
import { ConsoleBrowser, operatorPassword, owner } from '../../../test/console-browser.ts';
import { sendRequest } from '../../../test/send-request.ts';
import { answerToStalledBody } from '../../../test/stalled-body.ts';
import { startTestServer } from '../../../test/test-server.ts';
import { addConsoleRoutes } from './console-routes.ts';

const publicUrl = 'https://console.example';
const limits = { bodyBytesMax: 2048, batchBodyBytesMax: 4096 };
const server = await startTestServer({ settings: { ...limits, trustProxy: '127.0.0.1' } });
const named = await startTestServer({ settings: { publicUrl } });
after(() => Promise.all([server.close(), named.close()]));

const page = new ConsoleBrowser(server);
await page.join('ada', owner);

function signIn(by: ConsoleBrowser, headers: Readonly<Record<string, string>> = {}) {
  return by.succeed('POST', '/session', { username: 'ada', password: operatorPassword }, headers);
}

/** Headers that a proxy with TLS and a browser at it send. */
const overHttps = { 'X-Forwarded-Proto': 'https', Origin: page.origin.replace('http:', 'https:') };

function lastLine() {
  const { operation, operator, code } = JSON.parse(server.logLines.at(-1) ?? '');
  return [operation, operator, code];
}

describe('the cookie of a session', () => {
  test('is for the console alone, out of reach of scripts and other sites, and lasts seven days', async () => {
    const { headers } = await signIn(new ConsoleBrowser(server));
    const [line = '', ...more] = headers.getSetCookie();
    assert.deepEqual(more, []);
    assert.match(
      line,
      /^fieldroster_session=[\w-]{20,}; Max-Age=604800; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
  });

  test('is for HTTPS and this host alone where browsers reach the console over HTTPS', async () => {
    const { headers } = await signIn(new ConsoleBrowser(server), overHttps);
    const [line = '', ...more] = headers.getSetCookie();
    assert.deepEqual(more, []);
    assert.match(
      line,
      /^__Host-fieldroster_session=[\w-]{20,}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test('opens the console over HTTPS, and only by the name that no other host can plant', async () => {
    const browser = new ConsoleBrowser(server);
    await signIn(browser, overHttps);
    await browser.succeed('GET', '/session', undefined, overHttps);
    const planted = new ConsoleBrowser(server);
    planted.cookie = browser.cookie?.replace('__Host-', '');
    assert.equal((await planted.call('GET', '/session', undefined, overHttps)).code, 1601);
    const both = new ConsoleBrowser(server);
    both.cookie = `fieldroster_session=planted; ${browser.cookie}`;
    await both.succeed('GET', '/session', undefined, overHttps);
  });

  test('is removed by its own name over HTTPS at the end of the session', async () => {
    const leaver = new ConsoleBrowser(server);
    await signIn(leaver, overHttps);
    const removed =
      /^__Host-fieldroster_session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict$/;
    const { headers } = await leaver.succeed('DELETE', '/session', undefined, overHttps);
    assert.match(headers.get('set-cookie') ?? '', removed);
  });

  test('is removed by the end of the session', async () => {
    const leaver = new ConsoleBrowser(server);
    await signIn(leaver);
    const removed =
      /^fieldroster_session=; Max-Age=0; Path=\/console; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict$/;
    const { headers } = await leaver.succeed('DELETE', '/session');
    assert.match(headers.get('set-cookie') ?? '', removed);
  });

  test('of a new session stays, though a call that began in the former one is answered after it', async () => {
    const browser = new ConsoleBrowser(server);
    await browser.join('late', owner);
    const before = new ConsoleBrowser(server);
    before.cookie = browser.cookie;
    const change = { password: operatorPassword, new_password: 'another horse, another staple' };
    await browser.succeed('PUT', '/password', change);
    assert.notEqual(browser.cookie, before.cookie);
    const late = await before.call('GET', '/session');
    assert.deepEqual([late.code, late.headers.getSetCookie()], [1601, []]);
    await browser.succeed('GET', '/session');
  });

  test('stays where a call came without it, as from a link on another site', async () => {
    for (const headers of [{}, overHttps]) {
      const refused = await new ConsoleBrowser(server).call('GET', '/session', undefined, headers);
      assert.deepEqual([refused.code, refused.headers.getSetCookie()], [1601, []]);
    }
  });

  test('outlives a refusal, and is not sent again with other answers', async () => {
    const refused = await page.call('POST', '/tenants', { name: ' ' });
    assert.deepEqual([refused.code, refused.headers.getSetCookie()], [1001, []]);
    const read = await page.succeed('GET', '/session');
    assert.deepEqual(read.headers.getSetCookie(), []);
  });
});

describe('the origin of a change', () => {
  test('must be the one at which the page came, where no other is set', async () => {
    for (const origin of [publicUrl, page.origin.replace('http:', 'https:'), 'http://127.0.0.1', 'null']) {
      const refused = await page.call('POST', '/tenants', { name: 'elsewhere' }, { Origin: origin });
      assert.equal(refused.code, 1605, origin);
      assert.ok(refused.message.includes(`this console is at ${page.origin};`), refused.message);
    }
    await page.succeed('POST', '/tenants', { name: 'here' });
  });

  test('must be the one that is set, and no other', async () => {
    const visitor = new ConsoleBrowser(named);
    await assert.rejects(visitor.join('first', owner), /this console is at https:\/\/console\.example;/);
    const unknown = { username: 'x', password: 'y' };
    assert.equal((await visitor.call('POST', '/session', unknown, { Origin: publicUrl })).code, 1602);
  });

  test('does not suffice without the header that only the page sends', async () => {
    const refused = await page.call(
      'POST',
      '/tenants',
      { name: 'x' },
      { 'X-Fieldroster-Console': undefined },
    );
    assert.equal(refused.code, 1605);
  });

  test('does not suffice without an id of the change', async () => {
    const refused = await page.call('POST', '/tenants', { name: 'x' }, { 'Change-Id': undefined });
    assert.equal(refused.code, 1001);
    assert.match(refused.message, /^the header Change-Id must be/);
  });
});

describe('what a call passes on', () => {
  test('the parameters of its query, without the path before them', async () => {
    const tenant = `/tenants/${server.tenantId}`;
    await page.succeed('POST', `${tenant}/user/stores`, { username: 'bob' });
    const found = await page.succeed('GET', `${tenant}/user?username=bob`);
    assert.equal(Reflect.get(found.data, 'username'), 'bob');
    const none = await page.call('GET', `${tenant}/user`);
    assert.equal(none.code, 1001);
  });

  test('who called and how it ended, to the log', async () => {
    await page.succeed('GET', '/session');
    assert.deepEqual(lastLine(), ['query-session', 'ada', 0]);
    await page.call('POST', '/tenants', { name: ' ' });
    assert.deepEqual(lastLine(), ['create-tenant', 'ada', 1001]);
    await page.succeed('GET', `/tenants/${server.tenantId}/users`);
    assert.deepEqual(lastLine(), ['list-users', 'ada', 0]);
  });
});

describe('a body', () => {
  test('may be as large as its own operation allows', async () => {
    const name = (bytes: number) => ({ name: 'x'.repeat(bytes - '{"name":""}'.length) });
    const tenants = (bytes: number) => page.call('POST', '/tenants', name(bytes));
    assert.equal((await tenants(limits.bodyBytesMax)).code, 1001, 'a name of this length is refused');
    assert.equal((await tenants(limits.bodyBytesMax + 1)).code, 1004);
    const batch = (bytes: number) =>
      page.call(
        operations.batchUpdateUserStores.method,
        `/tenants/${server.tenantId}/user/stores`,
        name(bytes),
      );
    assert.equal((await batch(limits.batchBodyBytesMax)).code, 1001);
    assert.equal((await batch(limits.batchBodyBytesMax + 1)).code, 1004);
  });

  test('that is too large is refused as such even where the call is refused anyway', async () => {
    const body = { name: 'x'.repeat(limits.bodyBytesMax) };
    assert.equal((await page.call('POST', '/tenants', body, { Origin: publicUrl })).code, 1004);
  });

  test('that is refused whole leaves the connection open', async () => {
    const agent = new Agent({ keepAlive: true });
    const body = 'x'.repeat(limits.bodyBytesMax + 1);
    const target = '/console/api/tenants';
    const { headers, status } = await sendRequest(server.port, agent, { method: 'POST', target, body });
    assert.deepEqual([status, headers.connection], [413, 'keep-alive']);
    agent.destroy();
  });

  test('that arrives too slowly ends its connection and its call', { timeout: 240_000 }, async () => {
    const answer = await answerToStalledBody('/console/api/tenants', (app, parts) =>
      addConsoleRoutes(app, { ...parts, settings: { publicUrl, ...limits } }),
    );
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assert.match(answer, /"code":1001,"message":"the body arrives too slowly/);
  });
});
