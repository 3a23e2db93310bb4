import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { ConsoleBrowser, operatorPassword, owner, uuidV7 } from '../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { matchTotp } from './sign-in/second-factor.ts';
import { Sessions } from './sign-in/sessions.ts';

describe('the console', () => {
  let server: TestServer;
  const browser = () => new ConsoleBrowser(server);

  before(async () => {
    server = await startTestServer();
  });

  after(() => server.close());

  const invitation = { role: 'viewer', all_tenants: false };

  async function joined(username: string, access = owner) {
    const page = browser();
    await page.join(username, access);
    return page;
  }

  describe('sessions', () => {
    test('a link creates one operator, once, and signs it in', async () => {
      const page = await joined('lena');
      const { data } = await page.succeed('GET', '/session');
      assert.equal(data.operator.username, 'lena');
      assert.equal(data.operator.role, 'owner');
      assert.deepEqual(
        data.tenants.map(({ name }: { name: string }) => name),
        ['default', 'other'],
      );
    });

    test('the cookie is sent only to the console, and scripts and other sites cannot use it', async () => {
      const page = browser();
      await joined('cookie');
      const reply = await page.succeed('POST', '/session', {
        username: 'cookie',
        password: operatorPassword,
      });
      const cookie = reply.headers.get('set-cookie') ?? '';
      for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/console', 'Max-Age=604800']) {
        assert.match(cookie, new RegExp(part), cookie);
      }
      assert.doesNotMatch(cookie, /Secure/, 'plain HTTP');
      const https = await page.succeed('POST', '/session', {
        username: 'cookie',
        password: operatorPassword,
      });
      assert.equal(https.status, 200);
    });

    test('what the database stores about a session does not open it', async () => {
      const page = await joined('thief');
      const row = await server.bookkeeping
        .selectFrom('operator_session')
        .select('token_hash')
        .executeTakeFirstOrThrow();
      page.cookie = `fieldroster_session=${row.token_hash}`;
      assert.equal((await page.call('GET', '/session')).code, 1601);
    });

    test('a cookie stolen before sign-out is useless afterwards', async () => {
      const page = await joined('leaver');
      const stolen = browser();
      stolen.cookie = page.cookie;
      await page.succeed('DELETE', '/session');
      assert.equal(page.cookie, undefined);
      assert.equal((await stolen.call('GET', '/session')).code, 1601);
    });

    test('signing in replaces a planted token', async () => {
      await joined('fixed');
      const page = browser();
      page.cookie = 'fieldroster_session=planted';
      await page.succeed('POST', '/session', { username: 'fixed', password: operatorPassword });
      assert.notEqual(page.cookie, 'fieldroster_session=planted');
      const planted = browser();
      planted.cookie = 'fieldroster_session=planted';
      assert.equal((await planted.call('GET', '/session')).code, 1601);
    });

    test('sessions end after 12 idle hours, and after 7 days in any case', async () => {
      const started = server.nowMs;
      try {
        const idle = await joined('idle');
        const busy = await joined('busy');
        for (let hours = 11; hours < 7 * 24; hours += 11) {
          server.nowMs = started + hours * 3_600_000;
          await busy.succeed('GET', '/session');
        }
        assert.equal((await idle.call('GET', '/session')).code, 1601);
        server.nowMs = started + 7 * 24 * 3_600_000;
        assert.equal((await busy.call('GET', '/session')).code, 1601);
      } finally {
        server.nowMs = started;
      }
    });

    test('a session that began while the clock was far ahead ends when it is set back', async () => {
      const now = server.nowMs;
      try {
        server.nowMs = now + 30 * 86_400_000;
        const page = await joined('early');
        server.nowMs = now + 3_600_000;
        assert.equal((await page.call('GET', '/session')).code, 1601);
      } finally {
        server.nowMs = now;
      }
    });

    test('it does not come back when that time arrives, if the upkeep has run', async () => {
      const now = server.nowMs;
      const { operatorSessions } = server.database.bookkeeping;
      const sessions = new Sessions({ operatorSessions, now: () => server.nowMs } as never);
      try {
        const kept = await joined('in time');
        server.nowMs = now + 30 * 86_400_000;
        const page = await joined('too early');
        server.nowMs = now + 60_000;
        await sessions.forgetEnded();
        await kept.succeed('GET', '/session');
        server.nowMs = now + 30 * 86_400_000;
        assert.equal((await page.call('GET', '/session')).code, 1601);
      } finally {
        server.nowMs = now;
      }
    });

    test('a new password ends the other sessions and keeps this one', async () => {
      const page = await joined('changer');
      const other = browser();
      await other.succeed('POST', '/session', { username: 'changer', password: operatorPassword });
      server.nowMs += 1000;
      const wrong = await page.call('PUT', '/password', { password: 'guess', new_password: 'x'.repeat(12) });
      assert.equal(wrong.code, 1602);
      await page.succeed('PUT', '/password', {
        password: operatorPassword,
        new_password: 'another long one',
      });
      assert.equal((await other.call('GET', '/session')).code, 1601);
      await page.succeed('GET', '/session');
    });

    test('a sign-in with the former password that is under way during the change opens nothing', async () => {
      const page = await joined('raced');
      const passwords = { password: operatorPassword, new_password: 'another long one' };
      const changing = page.succeed('PUT', '/password', passwords);
      const former = { username: 'raced', password: operatorPassword };
      // They take turns, so that one of them is under way when the change is made.
      const others = Array.from({ length: 8 }, browser);
      const signingIn = others.map((other) => other.call('POST', '/session', former));
      await changing;
      const codes = await Promise.all(signingIn.map(async (each) => (await each).code));
      assert.ok(
        codes.every((code) => [0, 1602].includes(code)),
        codes.join(),
      );
      const opened = await Promise.all(
        others.map(async (other) => (await other.call('GET', '/session')).code),
      );
      assert.deepEqual(new Set(opened), new Set([1601]));
      await page.succeed('GET', '/session');
    });

    test('after a change at a node whose clock is ahead, a sign-in elsewhere opens a session', async () => {
      const page = await joined('ahead');
      const now = server.nowMs;
      try {
        server.nowMs = now + 30_000;
        await page.succeed('PUT', '/password', {
          password: operatorPassword,
          new_password: 'another long one',
        });
        server.nowMs = now;
        const other = browser();
        await other.succeed('POST', '/session', { username: 'ahead', password: 'another long one' });
        await other.succeed('GET', '/session');
      } finally {
        server.nowMs = now;
      }
    });

    test('of two changes that the same password confirms, one is refused', async () => {
      const page = await joined('twice');
      const other = browser();
      await other.succeed('POST', '/session', { username: 'twice', password: operatorPassword });
      const change = (from: ConsoleBrowser, password: string) =>
        from.call('PUT', '/password', { password: operatorPassword, new_password: password });
      const replies = await Promise.all([
        change(page, 'the first new one'),
        change(other, 'the second new one'),
      ]);
      assert.deepEqual(replies.map(({ code }) => code).toSorted(), [0, 1602]);
    });

    test('a common password, or one of the username, is refused where one is chosen, and changes nothing', async () => {
      const page = await joined('okafor');
      const change = (new_password: string) =>
        page.call('PUT', '/password', { password: operatorPassword, new_password });
      for (const [guessable, reason] of [
        ['Qwerty123456', /one of the most common ones/],
        [
          'Okafor-2026-fieldroster',
          /apart from the username, names of tenants and words such as fieldroster/,
        ],
        ['other-default-other', /names of tenants/],
      ] as const) {
        const refused = await change(guessable);
        assert.deepEqual([refused.code, refused.status], [1620, 400], guessable);
        assert.match(refused.message, reason);
        assert.ok(!refused.message.includes(guessable));
      }
      const admin = await joined('admin of links');
      const { data } = await admin.succeed('POST', '/operators', {
        ...invitation,
        tenant_ids: [],
        password: operatorPassword,
      });
      const accept = (password: string) =>
        browser().call('POST', '/link', { token: data.token, username: 'kwame.mensah', password });
      assert.equal((await accept('kwame-mensah-1')).code, 1620);
      const { code } = await accept('one more long passphrase');
      assert.equal(code, 0, 'the refusal did not use the link up');
      const { data: found } = await page.succeed('GET', '/session');
      const reset = await admin.succeed('POST', '/operators/reset', {
        id: found.operator.id,
        password: operatorPassword,
      });
      const again = { token: reset.data.token, password: 'okafor.okafor' };
      assert.equal((await browser().call('POST', '/link', again)).code, 1620);
      await browser().succeed('POST', '/session', { username: 'okafor', password: operatorPassword });
    });

    test('a new password does not tell which tenants others have', async () => {
      const admin = await joined('admin of tenants');
      const mine = {
        role: 'viewer',
        all_tenants: false,
        tenant_ids: [server.tenantId],
        password: operatorPassword,
      };
      const { data } = await admin.succeed('POST', '/operators', mine);
      await admin.succeed('POST', '/tenants', { name: 'zanzibarclinics' });
      const page = browser();
      const accept = (password: string) =>
        page.call('POST', '/link', { token: data.token, username: 'limited', password });
      assert.equal((await accept('default-default')).code, 1620, 'the tenant of the link');
      assert.equal((await accept('zanzibarclinics')).code, 0);
      const change = (password: string, new_password: string) =>
        page.call('PUT', '/password', { password, new_password });
      assert.equal((await change('zanzibarclinics', 'default-default')).code, 1620);
      assert.equal((await change('zanzibarclinics', 'zanzibarclinics1')).code, 0);
      const own = await admin.call('PUT', '/password', {
        password: operatorPassword,
        new_password: 'zanzibarclinics1',
      });
      assert.equal(own.code, 1620, 'somebody with access to all tenants');
    });

    test('signing out everywhere ends every session', async () => {
      const page = await joined('everywhere');
      const other = browser();
      await other.succeed('POST', '/session', { username: 'everywhere', password: operatorPassword });
      await page.succeed('DELETE', '/sessions');
      assert.equal((await other.call('GET', '/session')).code, 1601);
    });

    test('the body of a visitor may have 16 KiB', async () => {
      const signIn = (padding: number) =>
        browser().call('POST', '/session', {
          username: 'padded',
          password: 'x',
          padding: 'x'.repeat(padding),
        });
      assert.equal((await signIn(16_000)).code, 1602);
      const refused = await signIn(17_000);
      assert.deepEqual(
        [refused.code, refused.message],
        [1004, 'the body is larger than the limit of 16384 bytes; send less'],
      );
    });

    test('ten wrong passwords lock an account, and unknown names look the same', async () => {
      await joined('guessed');
      const codes = new Set<number>();
      for (let attempt = 0; attempt < 10; attempt++) {
        for (const username of ['guessed', 'nobody']) {
          codes.add(
            (await browser().call('POST', '/session', { username, password: `wrong ${attempt}` })).code,
          );
        }
      }
      assert.deepEqual([...codes], [1602]);
      const right = { username: 'guessed', password: operatorPassword };
      assert.equal((await browser().call('POST', '/session', right)).code, 1429);
      assert.equal((await browser().call('POST', '/session', { ...right, username: 'nobody' })).code, 1429);
    });

    test('a used link, an expired one and a made-up one are refused alike', async () => {
      const page = browser();
      const first = await page.call('POST', '/link', {
        token: 'made up',
        username: 'x',
        password: 'y'.repeat(12),
      });
      assert.equal(first.code, 1607);
      const manager = await joined('inviter');
      const invitation = {
        role: 'viewer',
        all_tenants: false,
        tenant_ids: [server.tenantId],
        password: operatorPassword,
      };
      const { data } = await manager.succeed('POST', '/operators', invitation);
      const accept = { token: data.token, username: 'invited', password: operatorPassword };
      const asked = await page.succeed('POST', '/link/query', { token: data.token });
      assert.equal(asked.data.purpose, 'invite');
      await page.succeed('POST', '/link', accept);
      assert.equal((await browser().call('POST', '/link', { ...accept, username: 'again' })).code, 1607);
      const late = await manager.succeed('POST', '/operators', invitation);
      server.nowMs += 3_600_001;
      assert.equal((await page.call('POST', '/link/query', { token: late.data.token })).code, 1607);
    });
  });

  describe('the second factor', () => {
    const codeOf = (secret: string, atMs: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });

    test('asks for a code, and accepts each code and each recovery code once', async () => {
      const page = await joined('totp');
      const { data: begun } = await page.succeed('POST', '/second-factor', { password: operatorPassword });
      assert.match(begun.uri, /^otpauth:\/\/totp\/Fieldroster:totp\?/);
      const { data } = await page.succeed('PUT', '/second-factor', {
        code: codeOf(begun.secret, server.nowMs),
      });
      assert.equal(data.recovery_codes.length, 10);
      const signIn = (code?: string) =>
        browser().call('POST', '/session', { username: 'totp', password: operatorPassword, code });
      assert.equal((await signIn()).code, 1603);
      assert.equal((await signIn(codeOf(begun.secret, server.nowMs))).code, 1602, 'it confirmed the secret');
      server.nowMs += 30_000;
      assert.equal((await signIn(codeOf(begun.secret, server.nowMs))).code, 0);
      assert.equal((await signIn(codeOf(begun.secret, server.nowMs))).code, 1602, 'a second time');
      const [recovery = '', another = ''] = data.recovery_codes;
      assert.equal((await signIn(recovery.toUpperCase())).code, 0);
      assert.equal((await signIn(recovery)).code, 1602);
      await server.db
        .updateTable('operator')
        .set({ totp_sealed: Buffer.alloc(60) })
        .where('username', '=', 'totp')
        .execute();
      assert.equal((await signIn(another)).code, 0, 'even if no key opens the secret');
    });

    test('that was begun before a change of the password cannot be confirmed after it', async () => {
      const page = await joined('begun');
      const { data: begun } = await page.succeed('POST', '/second-factor', { password: operatorPassword });
      const passwords = { password: operatorPassword, new_password: 'another long one' };
      await page.succeed('PUT', '/password', passwords);
      const code = codeOf(begun.secret, server.nowMs);
      assert.equal((await page.call('PUT', '/second-factor', { code })).code, 1602);
    });

    test('accepts the codes of the previous and the next step, and no others', () => {
      const secret = 'JBSWY3DPEHPK3PXP';
      const nowMs = 1_800_000_000_000;
      const step = BigInt(nowMs / 30_000);
      assert.equal(matchTotp(secret, codeOf(secret, nowMs - 30_000), nowMs), step - 1n);
      assert.equal(matchTotp(secret, codeOf(secret, nowMs + 30_000), nowMs), step + 1n);
      assert.equal(matchTotp(secret, codeOf(secret, nowMs - 60_000), nowMs), undefined);
      assert.equal(matchTotp(secret, '', nowMs), undefined);
    });
  });

  describe('access', () => {
    test('a visitor has no access', async () => {
      for (const path of ['/session', '/operators', `/tenants/${server.tenantId}/users`]) {
        const { code, status } = await browser().call('GET', path);
        assert.deepEqual([code, status], [1601, 401], path);
      }
    });

    test('a viewer reads and changes nothing', async () => {
      const page = await joined('viewer', {
        role: 'viewer',
        allTenants: false,
        tenantIds: [server.tenantId],
      });
      const tenant = `/tenants/${server.tenantId}`;
      await page.succeed('GET', `${tenant}/users`);
      const created = await page.call('POST', `${tenant}/user`, { username: 'mallory', password: 'x' });
      assert.deepEqual([created.code, created.status], [1604, 403]);
      assert.equal(
        (await page.call('POST', `${tenant}/applications`, { name: 'x', scope: 'read' })).code,
        1604,
      );
      assert.equal((await page.call('GET', '/operators')).code, 1604);
    });

    test('a manager of one tenant cannot tell another tenant from one that does not exist', async () => {
      const access = { role: 'manager', allTenants: false, tenantIds: [server.tenantId] } as const;
      const page = await joined('manager', access);
      const other = await page.call('GET', `/tenants/${server.otherTenantId}/users`);
      const none = await page.call('GET', '/tenants/999999/users');
      assert.deepEqual([other.code, other.message], [none.code, none.message]);
      assert.equal(other.code, 1606);
    });

    test('an owner of some tenants has no access to the deployment', async () => {
      const page = await joined('small owner', {
        role: 'owner',
        allTenants: false,
        tenantIds: [server.tenantId],
      });
      assert.equal((await page.call('GET', '/operators')).code, 1604);
    });

    test('a changed role and a disabled account take effect at once, and the last owner stays', async () => {
      const chief = await joined('chief');
      const page = await joined('changed');
      const change = (changes: object) =>
        chief.succeed('PUT', '/operators', { ...changes, password: operatorPassword });
      const { data } = await page.succeed('GET', '/session');
      await change({ id: data.operator.id, role: 'viewer' });
      assert.equal((await page.call('GET', '/operators')).code, 1604);
      await change({ id: data.operator.id, status: 'disabled' });
      assert.equal((await page.call('GET', '/session')).code, 1601);
      const { data: all } = await chief.succeed('GET', '/operators');
      const self = (await chief.succeed('GET', '/session')).data.operator.id;
      for (const { id, role, all_tenants } of all.operators) {
        if (id !== self && role === 'owner' && all_tenants) {
          await change({ id, status: 'disabled' });
        }
      }
      const last = { id: self, role: 'manager', password: operatorPassword };
      const kept = await chief.call('PUT', '/operators', last);
      assert.deepEqual(
        [kept.code, kept.message],
        [
          1612,
          'chief is the last active owner of all tenants; make another operator an owner of all tenants first',
        ],
      );
    });
  });

  describe('changes', () => {
    test('are accepted only from the console’s own page', async () => {
      const page = await joined('csrf');
      const path = `/tenants/${server.tenantId}/user`;
      const body = { username: 'forged', password: 'x' };
      const forged = [
        { Origin: 'https://evil.example' },
        { Origin: undefined },
        { Origin: 'null' },
        { 'X-Fieldroster-Console': undefined },
      ];
      for (const headers of forged) {
        const { code, status } = await page.call('POST', path, body, headers);
        assert.deepEqual([code, status], [1605, 403]);
      }
      const preflight = await fetch(`${page.origin}/console/api${path}`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
      });
      assert.equal(preflight.headers.get('access-control-allow-origin'), null);
    });

    test('take effect once, with an audit row that names the operator', async () => {
      const page = await joined('writer');
      const path = `/tenants/${server.tenantId}/user`;
      const body = { username: 'made in the console', password: 'x' };
      const id = uuidV7(server.nowMs);
      await page.succeed('POST', path, body, { 'Change-Id': id });
      const again = await page.call('POST', path, body, { 'Change-Id': id });
      assert.deepEqual([again.code, again.status], [1015, 409]);
      const rows = await server.db
        .selectFrom('audit_event')
        .select(['app_id', 'actor', 'operation'])
        .where('operation', '=', 'create-user')
        .execute();
      const { data } = await page.succeed('GET', '/session');
      const actor = JSON.stringify({ kind: 'operator', id: String(data.operator.id), changeId: id });
      assert.deepEqual(rows, [{ app_id: null, actor, operation: 'create-user' }]);
    });

    test('are refused when another operator began them, whose tab shares the cookie', async () => {
      const [mo, kim] = [await joined('mo of the tab'), await joined('kim of the tab')];
      const path = `/tenants/${server.tenantId}/user`;
      const body = { username: 'begun by mo', password: 'x' };
      const headers = { 'Change-Id': uuidV7(server.nowMs), 'Operator-Id': String(mo.operatorId) };
      const refused = await kim.call('POST', path, body, headers);
      assert.deepEqual([refused.code, refused.status], [1625, 409]);
      for (const method of ['DELETE', 'PUT'] as const) {
        const reply = await kim.call(method, method === 'DELETE' ? '/session' : path, undefined, headers);
        assert.equal(reply.code, 1625, method);
      }
      const unnamed = await kim.call('POST', path, body, { 'Operator-Id': undefined });
      assert.equal(unnamed.code, 1001);
      assert.match(unnamed.message, /Operator-Id/);
      // Nothing was claimed: the change still takes effect in the name of who began it.
      await mo.succeed('POST', path, body, headers);
    });

    test('need a recent UUID', async () => {
      const page = await joined('late');
      const path = `/tenants/${server.tenantId}/user`;
      const body = { username: 'too late', password: 'x' };
      const day = 24 * 3_600_000;
      const refused = [
        [undefined, 1001],
        ['6a2f41a3-c54c-4ce8-96c6-b0d5b9f9c2a4', 1001],
        [uuidV7(server.nowMs - day), 1012],
        [uuidV7(server.nowMs + 310_000), 1012],
      ] as const;
      for (const [id, code] of refused) {
        assert.equal((await page.call('POST', path, body, { 'Change-Id': id })).code, code, String(id));
      }
    });
  });

  describe('the deployment', () => {
    test('inside another program, it shows retention, and refuses what needs the commands', async () => {
      const page = new ConsoleBrowser(server);
      await page.join('deployer', owner);
      const { data } = await page.succeed('GET', '/deployment');
      const kept = [data.audit_days, data.calls_days, data.failed_calls_days];
      assert.deepEqual(kept.map(Number), [0, 90, 7]);
      assert.equal((await page.call('GET', '/deployment/findings')).code, 1618);
      assert.equal((await page.call('POST', '/deployment/verification', {})).code, 1618);
    });
  });

  describe('applications', () => {
    test('are issued, rotated and revoked, by their tenant only', async () => {
      const page = await joined('issuer');
      const path = `/tenants/${server.tenantId}/applications`;
      const { data } = await page.succeed('POST', path, { name: 'HR sync', scope: 'write' });
      await server.app.applications.refresh();
      const as = { appId: data.app_id, appSecret: data.app_secret };
      await server.succeed('GET', '/users', undefined, { as });
      const foreign = `/tenants/${server.otherTenantId}/applications`;
      assert.equal((await page.call('DELETE', foreign, { app_id: data.app_id })).code, 1610);
      const rotated = await page.succeed('POST', `${path}/rotate`, {
        app_id: data.app_id,
        old_expires_in_seconds: 0,
      });
      assert.notEqual(rotated.data.app_secret, data.app_secret);
      await page.succeed('DELETE', path, { app_id: data.app_id });
      const { data: listed } = await page.succeed('GET', path);
      const entry = listed.applications.find(({ app_id }: { app_id: string }) => app_id === data.app_id);
      assert.equal(entry?.status, 'revoked');
      assert.doesNotMatch(
        JSON.stringify(listed, (_, value) => String(value)),
        /secret"/,
      );
    });
  });

  test('no password, token or secret of the console is logged or stored in the clear', async () => {
    const lines = server.logLines.join('\n');
    assert.doesNotMatch(lines, /correct horse/);
    const events = await server.db.selectFrom('operator_event').select('changes').execute();
    assert.doesNotMatch(JSON.stringify(events), /correct horse|argon2/);
  });

  test('--console off removes the whole console', async () => {
    const closed = await startTestServer({ settings: { console: false } });
    try {
      for (const path of ['/console', '/console/api/session', '/console/assets/x.js']) {
        const response = await fetch(`http://127.0.0.1:${closed.port}${path}`);
        assert.equal(response.status, 404, path);
      }
    } finally {
      await closed.close();
    }
  });
});
