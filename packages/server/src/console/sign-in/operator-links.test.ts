import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, operatorPassword, owner } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { hashToken } from './tokens.ts';

const password = operatorPassword;

const invitation = { role: 'owner', all_tenants: true, tenant_ids: [] };

describe('what ends a one-time link', () => {
  let server: TestServer;
  let chief: ConsoleBrowser;

  before(async () => {
    server = await startTestServer();
    chief = await joined('chief');
  });

  after(() => server.close());

  async function joined(username: string): Promise<ConsoleBrowser> {
    const page = new ConsoleBrowser(server);
    await page.join(username, owner);
    return page;
  }

  async function idOf(username: string): Promise<bigint> {
    const operator = await server.database.operators.findByUsername(username);
    assert(operator !== undefined);
    return operator.id;
  }

  /** Adds an operator as an earlier release did, which accepted more names. */
  async function joinedBefore(username: string): Promise<void> {
    const { operators } = server.database;
    const { passwordHash, role, allTenants, tenantIds } = (await operators.findByUsername('chief')) ?? {};
    assert(passwordHash !== undefined && role !== undefined && allTenants !== undefined && tenantIds);
    await operators.write(undefined, async (writer) => {
      const id = await writer.insert({ username, passwordHash, role, allTenants, tenantIds });
      assert(id !== undefined);
      return { result: id, event: { operatorId: id, operation: 'create-operator', changes: {} } };
    });
  }

  const invite = async (by: ConsoleBrowser) =>
    (await by.succeed('POST', '/operators', { ...invitation, password })).data.token;

  /** Makes an invitation; returns the hash by which the list of open links names it. */
  const inviteAndFind = async () => hashToken(String(await invite(chief)));

  const reset = async (username: string) =>
    (await chief.succeed('POST', '/operators/reset', { id: await idOf(username), password })).data.token;

  const open = (token: unknown, more: object = {}) =>
    new ConsoleBrowser(server).call('POST', '/link', { token, password: `${operatorPassword} 2`, ...more });

  const change = async (username: string, changes: object) =>
    chief.succeed('PUT', '/operators', { id: await idOf(username), ...changes, password });

  test('an invitation ends when the operator who made it is disabled or may no longer invite', async () => {
    for (const [username, changes] of [
      ['disabled', { status: 'disabled' }],
      ['demoted', { role: 'manager' }],
      ['narrowed', { all_tenants: false, tenant_ids: [server.tenantId] }],
    ] as const) {
      const token = await invite(await joined(username));
      await change(username, changes);
      assert.equal((await open(token, { username: `friend of ${username}` })).code, 1607, username);
    }
    const token = await invite(chief);
    await change('chief', { role: 'owner' });
    assert.equal((await open(token, { username: 'welcome' })).code, 0);
  });

  test('an invitation is not used up by a name that could pass for another operator', async () => {
    const token = await invite(chief);
    for (const [username, code, reason] of [
      [
        'Chief',
        1609,
        /an operator "chief", whose username differs only in case or in forms of the same characters/,
      ],
      ['ｃhief', 1609, /an operator "chief"/],
      ['chief', 1609, /an operator "chief" already exists/],
      ['chief\u200d', 1609, /an operator "chief", whose/],
      ['chief\u200b', 1001, /free of invisible characters and line separators; it has U\+200B/],
      ['\u202echief', 1001, /it has U\+202E/],
      ['chi\u00adef', 1001, /it has U\+00AD/],
      ['chief\u3164', 1001, /it has U\+3164/],
      ['chief\u2800', 1001, /it has U\+2800: delete it$/],
      ['chief\ufe0f', 1001, /it has U\+FE0F: delete it$/],
      ['chi\u034fef', 1001, /it has U\+034F: delete it$/],
      ['chief\u{e0041}', 1001, /it has U\+E0041: delete it$/],
    ] as const) {
      const refused = await open(token, { username });
      assert.equal(refused.code, code, username);
      assert.match(refused.message, reason);
    }
    assert.equal((await open(token, { username: 'the chief’s deputy' })).code, 0);
  });

  test('names of operators are compared in every case and form that letters have', async () => {
    const token = await invite(chief);
    for (const [name, twins] of [
      ['σοφος', ['ΣΟΦΟΣ', 'ΣΟΦΟς', 'σοφοσ']],
      ['groß', ['GROSS', 'GROẞ', 'gross']],
      ['irem', ['İREM', 'İrem', 'i\u0307rem', 'ırem']],
      ['ﬁona', ['fiona', 'FIONA', 'ｆｉｏｎａ']],
      ['two words', ['two  words', 'two\u3000words']],
      ['mary\u2800ann', ['mary ann']],
      ['josé', ['JOSE\u0301']],
    ] as const) {
      await joinedBefore(name);
      for (const username of twins) {
        const refused = await open(token, { username });
        assert.equal(refused.code, 1609, `${username}: ${refused.message}`);
        assert.ok(
          refused.message.startsWith(`there is an operator ${JSON.stringify(name)}, whose`),
          username,
        );
      }
    }
    assert.equal((await open(token, { username: 'jose' })).code, 0, 'an accent is another letter');
  });

  test('an operator signs in with a name that a new one could not have', async () => {
    const username = 'early\u2800\u00ad';
    await joinedBefore(username);
    await new ConsoleBrowser(server).succeed('POST', '/session', { username, password });
  });

  test('the log names the operator whose session a link or a password began', async () => {
    const username = 'logged';
    assert.equal((await open(await invite(chief), { username })).code, 0);
    const credentials = { username, password: `${operatorPassword} 2` };
    await new ConsoleBrowser(server).succeed('POST', '/session', credentials);
    const wrong = { username, password: 'wrong' };
    assert.equal((await new ConsoleBrowser(server).call('POST', '/session', wrong)).code, 1602);
    const logged = server.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ operation }) => operation === 'use-link' || operation === 'sign-in')
      .slice(-3)
      .map(({ operation, operator, code }) => [operation, operator ?? null, code]);
    assert.deepEqual(logged, [
      ['use-link', username, 0],
      ['sign-in', username, 0],
      ['sign-in', null, 1602],
    ]);
  });

  test('no link is made and no operator changed by an operator who is disabled or may no longer do it meanwhile', async ({
    mock,
  }) => {
    const { operators } = server.database;
    const write = operators.write.bind(operators);
    const openLink = await inviteAndFind();
    for (const [username, changes, code] of [
      ['disabled.early', { status: 'disabled' }, 1601],
      ['demoted.early', { role: 'manager' }, 1604],
    ] as const) {
      for (const [method, path, body] of [
        ['POST', '/operators', invitation],
        ['POST', '/operators/reset', { id: await idOf('chief') }],
        ['PUT', '/operators', { role: 'owner', status: 'active' }],
        ['DELETE', '/operators/link', { id: openLink }],
      ] as const) {
        const name = `${username} ${method} ${path}`;
        const page = await joined(name);
        const changeFirst: typeof write = async (...given) => {
          await change(name, changes);
          return write(...given);
        };
        mock.method(operators, 'write', changeFirst, { times: 1 });
        const sent = { id: await idOf(name), ...body, password };
        assert.equal((await page.call(method, path, sent)).code, code, name);
        const { status, role } = (await operators.find(await idOf(name))) ?? {};
        assert.deepEqual({ status, role, ...changes }, { status, role }, name);
      }
    }
    assert.notEqual(await operators.findLink(openLink), undefined);
  });

  test('operators are changed only by somebody who knows the password', async () => {
    const { operators } = server.database;
    await joined('target');
    const id = await idOf('target');
    const openLink = await inviteAndFind();
    const countEvents = async () => (await operators.listEvents(1000)).length;
    const before = await countEvents();
    for (const [method, path, body] of [
      ['POST', '/operators', invitation],
      ['POST', '/operators/reset', { id }],
      ['PUT', '/operators', { id, status: 'disabled' }],
      ['PUT', '/operators', { id, role: 'viewer' }],
      ['DELETE', '/operators/link', { id: openLink }],
    ] as const) {
      const guess = await chief.call(method, path, { ...body, password: 'a guess of the password' });
      assert.deepEqual([guess.code, guess.message], [1602, 'the password is wrong'], path);
      assert.equal((await chief.call(method, path, body)).code, 1001, path);
    }
    const { status, role } = (await operators.find(id)) ?? {};
    assert.deepEqual([status, role, await countEvents()], ['active', 'owner', before]);
    assert.notEqual(await operators.findLink(openLink), undefined);
  });

  test('a change is refused if its password was replaced meanwhile', async ({ mock }) => {
    const { operators } = server.database;
    const write = operators.write.bind(operators);
    const id = await idOf('chief');
    const openLink = await inviteAndFind();
    for (const [index, [method, path, body]] of (
      [
        ['POST', '/operators', invitation],
        ['POST', '/operators/reset', { id }],
        ['PUT', '/operators', { id, role: 'viewer' }],
        ['DELETE', '/operators/link', { id: openLink }],
      ] as const
    ).entries()) {
      const page = await joined(`robbed.${index}`);
      const robbed = await idOf(`robbed.${index}`);
      const replaceFirst: typeof write = async (...given) => {
        await write(undefined, async (writer) => {
          await writer.update(robbed, { passwordHash: 'another' });
          return { result: undefined };
        });
        return write(...given);
      };
      mock.method(operators, 'write', replaceFirst, { times: 1 });
      assert.equal((await page.call(method, path, { ...body, password })).code, 1602, path);
    }
    assert.equal((await operators.find(id))?.role, 'owner');
    assert.notEqual(await operators.findLink(openLink), undefined);
  });

  test('a reset link ends when another one, or the operator, has set a new password', async () => {
    const page = await joined('forgetful');
    const [older, newer] = [await reset('forgetful'), await reset('forgetful')];
    assert.equal((await open(newer)).code, 0);
    assert.equal((await open(older)).code, 1607);
    const unused = await reset('forgetful');
    await page.succeed('POST', '/session', { username: 'forgetful', password: `${operatorPassword} 2` });
    const passwords = { password: `${operatorPassword} 2`, new_password: operatorPassword };
    await page.succeed('PUT', '/password', passwords);
    assert.equal((await open(unused)).code, 1607);
  });

  test('a disabled operator cannot use a reset link until enabled again', async () => {
    await joined('away');
    await change('away', { status: 'disabled' });
    const token = await reset('away');
    const refused = await open(token);
    assert.equal(refused.code, 1607);
    assert.match(refused.message, /this account is disabled; ask an owner to enable it/);
    await change('away', { status: 'active' });
    assert.equal((await open(token)).code, 0);
  });

  test('sessions from before an operator was disabled stay ended', async () => {
    const page = await joined('suspect');
    server.nowMs += 1;
    await change('suspect', { status: 'disabled' });
    await change('suspect', { status: 'active' });
    assert.equal((await page.call('GET', '/session')).code, 1601);
  });

  // Comes last: with the clock ahead, the server may forget old claims, and would then refuse the changes of other tests.
  test('a clock that is set back after the link was made ends it', async () => {
    const now = server.nowMs;
    try {
      server.nowMs = now + 2 * 3_600_000;
      const early = new ConsoleBrowser(server);
      await early.join('made early', owner);
      const tokens = [await invite(early), await invite(early)];
      server.nowMs = now;
      const [ended] = tokens;
      const opened = await new ConsoleBrowser(server).call('POST', '/link/query', { token: ended });
      assert.equal(opened.code, 1607);
      assert.equal((await open(ended, { username: 'too early' })).code, 1607);
      server.nowMs = now + 2 * 3_600_000;
      assert.equal((await open(tokens[1], { username: 'in time' })).code, 0);
    } finally {
      server.nowMs = now;
    }
  });
});
