import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { ConsoleBrowser, operatorPassword, uuidV7 } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { OperatorRole, OperatorSession } from '../../database/database.ts';

describe('an operator with a second factor', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });

  after(() => server.close());

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.nowMs });
  const wrongCodeOf = (secret: string) =>
    String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0');

  /** Returns the code of a step that was not used yet. */
  const nextCodeOf = (secret: string) => {
    server.nowMs += 30_000;
    return codeOf(secret);
  };

  const proofOf = (code: string | undefined, password = operatorPassword) => ({ password, code });

  async function joined(username: string, role: OperatorRole = 'owner') {
    const page = new ConsoleBrowser(server);
    await page.join(username, { role, allTenants: true, tenantIds: [] });
    return page;
  }

  /** Makes an operator, and turns the second factor on. */
  async function withFactor(username: string, role?: OperatorRole) {
    const page = await joined(username, role);
    const { data: begun } = await page.succeed('POST', '/second-factor', proofOf(undefined));
    const { data } = await page.succeed('PUT', '/second-factor', { code: codeOf(begun.secret) });
    return { page, secret: begun.secret, recoveryCodes: data.recovery_codes };
  }

  const signIn = (username: string, code: string, page = new ConsoleBrowser(server)) =>
    page.call('POST', '/session', { username, password: operatorPassword, code });

  const codesLeft = async (page: ConsoleBrowser) =>
    (await page.succeed('GET', '/session')).data.operator.recovery_codes_left;

  async function eventsOf(username: string) {
    const { operators } = server.database;
    const operator = await operators.findByUsername(username);
    const events = await operators.listEvents(200);
    return events
      .filter(({ operatorId }) => operatorId === operator?.id)
      .map(({ operation, changes }) => ({ operation, changes }));
  }

  test('sees how many recovery codes are left, also in the answer to a sign-in by one', async () => {
    const page = await joined('counting');
    assert.equal(await codesLeft(page), 0);
    const other = await withFactor('counted');
    assert.equal(await codesLeft(other.page), 10);
    const { data } = await signIn('counted', other.recoveryCodes[0] ?? '');
    assert.equal(data.operator.recovery_codes_left, 9);
    assert.equal(await codesLeft(other.page), 9);
  });

  test('cannot make a reset link for the operator’s own account, which would turn it off without a code', async () => {
    const { page } = await withFactor('careful');
    const { id } = (await page.succeed('GET', '/session')).data.operator;
    const refused = await page.call('POST', '/operators/reset', { id, password: operatorPassword });
    assert.deepEqual([refused.code, refused.status], [1624, 409]);
    assert.match(refused.message, /replace the second factor in the settings, or ask another owner/);
    const other = await joined('helpful');
    await other.succeed('POST', '/operators/reset', { id, password: operatorPassword });
  });

  describe('an operator who makes new recovery codes', () => {
    test('has ten others, and the old ones stop at once', async () => {
      const { page, secret, recoveryCodes } = await withFactor('renewing');
      const { data } = await page.succeed('POST', '/recovery-codes', proofOf(nextCodeOf(secret)));
      assert.equal(new Set([...data.recovery_codes, ...recoveryCodes]).size, 20);
      assert.equal(await codesLeft(page), 10);
      for (const old of recoveryCodes) assert.equal((await signIn('renewing', old)).code, 1602);
      assert.equal((await signIn('renewing', data.recovery_codes[0] ?? '')).code, 0);
      assert.equal((await signIn('renewing', nextCodeOf(secret))).code, 0, 'the authenticator stays');
    });

    test('ends the other sessions, and goes on in this one', async () => {
      const { page, secret, recoveryCodes } = await withFactor('ending');
      const former = page.cookie;
      const elsewhere = new ConsoleBrowser(server);
      await signIn('ending', recoveryCodes[0] ?? '', elsewhere);
      server.nowMs += 1000;
      await page.succeed('POST', '/recovery-codes', proofOf(nextCodeOf(secret)));
      assert.equal((await elsewhere.call('GET', '/session')).code, 1601);
      elsewhere.cookie = former;
      assert.equal((await elsewhere.call('GET', '/session')).code, 1601, 'the cookie from before');
      await page.succeed('GET', '/session');
    });

    test('may be a viewer, and confirm by a recovery code', async () => {
      const { page, recoveryCodes } = await withFactor('viewing', 'viewer');
      await page.succeed('POST', '/recovery-codes', proofOf(recoveryCodes[0]));
      assert.equal(await codesLeft(page), 10);
      assert.deepEqual((await eventsOf('viewing'))[0], {
        operation: 'make-recovery-codes',
        changes: { recovery_codes: 'replaced', confirmed_by: 'recovery code' },
      });
    });

    test('is in the trail of operators, without the codes', async () => {
      const { page, secret } = await withFactor('recorded');
      const { data } = await page.succeed('POST', '/recovery-codes', proofOf(nextCodeOf(secret)));
      const events = await eventsOf('recorded');
      assert.deepEqual(events[0], {
        operation: 'make-recovery-codes',
        changes: { recovery_codes: 'replaced' },
      });
      for (const code of data.recovery_codes) assert(!JSON.stringify(events).includes(code));
    });

    test('lets no sign-in by an old code that is under way open a session', async (t) => {
      const { page, secret, recoveryCodes } = await withFactor('racing');
      const { operatorSessions } = server.database.bookkeeping;
      const insert = operatorSessions.insert.bind(operatorSessions);
      const { mock } = t.mock.method(operatorSessions, 'insert', async (session: OperatorSession) => {
        mock.restore();
        await page.succeed('POST', '/recovery-codes', proofOf(nextCodeOf(secret)));
        await insert(session);
      });
      const late = new ConsoleBrowser(server);
      assert.equal((await signIn('racing', recoveryCodes[0] ?? '', late)).code, 1602);
      assert.equal((await late.call('GET', '/session')).code, 1601);
      await page.succeed('GET', '/session');
    });

    test('must have a second factor', async () => {
      const page = await joined('lacking');
      const refused = await page.call('POST', '/recovery-codes', proofOf('123456'));
      assert.deepEqual([refused.code, refused.status], [1623, 409]);
    });

    test('makes them once, however often the request arrives', async () => {
      const { page, secret } = await withFactor('repeating');
      const code = nextCodeOf(secret);
      const former = page.cookie;
      const headers = { 'Change-Id': uuidV7(server.nowMs) };
      const { data } = await page.succeed('POST', '/recovery-codes', proofOf(code), headers);
      assert.notEqual(page.cookie, former);
      const again = await page.call('POST', '/recovery-codes', proofOf(code), headers);
      assert.equal(again.code, 1015);
      assert.equal((await signIn('repeating', data.recovery_codes[0] ?? '')).code, 0);
    });

    test('can try again under the same id after a wrong code', async () => {
      const { page, secret } = await withFactor('correcting');
      const right = nextCodeOf(secret);
      const headers = { 'Change-Id': uuidV7(server.nowMs) };
      const wrong = await page.call('POST', '/recovery-codes', proofOf(wrongCodeOf(secret)), headers);
      assert.equal(wrong.code, 1602);
      await page.succeed('POST', '/recovery-codes', proofOf(right), headers);
    });
  });

  describe('an operator who replaces the authenticator', () => {
    test('signs in by the old one until a code of the new one confirms it, and then by the new one only', async () => {
      const { page, secret: old, recoveryCodes } = await withFactor('moving');
      const { data: begun } = await page.succeed('POST', '/second-factor', proofOf(nextCodeOf(old)));
      assert.equal((await signIn('moving', nextCodeOf(old))).code, 0);
      assert.equal((await signIn('moving', codeOf(begun.secret))).code, 1602, 'not confirmed');
      assert.equal((await signIn('moving', recoveryCodes[0] ?? '')).code, 0);
      const { data } = await page.succeed('PUT', '/second-factor', { code: codeOf(begun.secret) });
      assert.equal((await signIn('moving', codeOf(begun.secret))).code, 1602, 'it confirmed the secret');
      assert.equal((await signIn('moving', nextCodeOf(old))).code, 1602);
      assert.equal((await signIn('moving', recoveryCodes[1] ?? '')).code, 1602);
      assert.equal((await signIn('moving', codeOf(begun.secret))).code, 0);
      assert.equal((await signIn('moving', data.recovery_codes[0] ?? '')).code, 0);
      const events = (await eventsOf('moving')).filter(({ operation }) =>
        operation.endsWith('second-factor'),
      );
      assert.deepEqual(events.slice(0, 2), [
        { operation: 'confirm-second-factor', changes: { second_factor: 'replaced' } },
        { operation: 'begin-second-factor', changes: { second_factor: 'asked for' } },
      ]);
    });

    test('cannot confirm the new one by a code of the old one', async () => {
      const { page, secret } = await withFactor('confusing');
      await page.succeed('POST', '/second-factor', proofOf(nextCodeOf(secret)));
      const refused = await page.call('PUT', '/second-factor', { code: nextCodeOf(secret) });
      assert.equal(refused.code, 1602);
      assert.equal((await signIn('confusing', codeOf(secret))).code, 0);
    });

    test('confirms the one that was begun last, in whichever tab, and none twice', async () => {
      const { page, secret } = await withFactor('tabbed');
      const { data: first } = await page.succeed('POST', '/second-factor', proofOf(nextCodeOf(secret)));
      const { data: second } = await page.succeed('POST', '/second-factor', proofOf(nextCodeOf(secret)));
      const confirm = (of: string) => page.call('PUT', '/second-factor', { code: codeOf(of) });
      assert.equal((await confirm(first.secret)).code, 1602);
      assert.equal((await confirm(second.secret)).code, 0);
      assert.equal((await confirm(second.secret)).code, 1602);
      assert.equal((await confirm(first.secret)).code, 1602);
      assert.equal((await signIn('tabbed', nextCodeOf(second.secret))).code, 0);
    });
  });

  test('of two changes at once that one code confirms, one is made', async () => {
    const { page, secret, recoveryCodes } = await withFactor('rushing');
    for (const code of [nextCodeOf(secret), recoveryCodes[0]]) {
      const begin = () => page.call('POST', '/second-factor', proofOf(code));
      const answers = await Promise.all([begin(), begin(), begin()]);
      assert.deepEqual(answers.map((answer) => answer.code).sort(), [0, 1602, 1602]);
    }
  });

  describe('an operator who begins a set-up', () => {
    const confirm = (page: ConsoleBrowser, secret: string) =>
      page.call('PUT', '/second-factor', { code: codeOf(secret) });
    const begin = async (page: ConsoleBrowser) =>
      (await page.succeed('POST', '/second-factor', proofOf(undefined))).data.secret;

    test('has an hour to confirm it', async () => {
      const page = await joined('pausing');
      const abandoned = await begin(page);
      server.nowMs += 3_600_000;
      const refused = await confirm(page, abandoned);
      assert.equal(refused.code, 1602);
      assert.match(refused.message, /^the code is wrong, or the set-up began more than an hour ago; /);
      assert.equal((await page.succeed('GET', '/session')).data.operator.second_factor, false);
      const secret = await begin(page);
      server.nowMs += 3_599_999;
      assert.equal((await confirm(page, secret)).code, 0);
    });

    test('must begin again if a clock that was ahead has been set back', async () => {
      const page = await joined('ahead');
      server.nowMs += 4 * 3_600_000;
      const secret = await begin(page);
      server.nowMs -= 4 * 3_600_000;
      assert.equal((await confirm(page, secret)).code, 1602);
    });
  });

  for (const [method, path] of [
    ['POST', '/recovery-codes'],
    ['POST', '/second-factor'],
    ['DELETE', '/second-factor'],
  ] as const) {
    describe(`an operator who calls ${method} ${path}`, () => {
      test('needs the password and a code that was not used', async () => {
        const name = `strict ${method} ${path}`;
        const { page, secret, recoveryCodes } = await withFactor(name);
        const call = async (code?: string, password?: string) =>
          (await page.call(method, path, proofOf(code, password))).code;
        const confirmed = codeOf(secret);
        const fresh = nextCodeOf(secret);
        assert.equal(await call(fresh, 'not the password'), 1602);
        assert.equal(await call(), 1603);
        assert.equal(await call(''), 1603);
        assert.equal(await call(wrongCodeOf(secret)), 1602);
        assert.equal(await call(confirmed), 1602, 'the code that confirmed the second factor');
        assert.equal((await signIn(name, fresh)).code, 0);
        assert.equal((await signIn(name, recoveryCodes[0] ?? '')).code, 0);
        assert.equal(await call(fresh), 1602, 'the code of a sign-in');
        assert.equal(await call(recoveryCodes[0]), 1602, 'the recovery code of a sign-in');
        assert.equal(await codesLeft(page), 9);
        assert.equal(await call(nextCodeOf(secret)), 0);
      });

      test('can guess no more codes than at the sign-in: both count together', async () => {
        const name = `guess ${method} ${path}`;
        const { page, secret, recoveryCodes } = await withFactor(name);
        server.nowMs += 30_000;
        for (let count = 0; count < 5; count += 1) {
          assert.equal((await signIn(name, wrongCodeOf(secret))).code, 1602);
          assert.equal((await page.call(method, path, proofOf(wrongCodeOf(secret)))).code, 1602);
        }
        assert.deepEqual((await eventsOf(name))[0], {
          operation: 'wrong-codes',
          changes: { wrong_codes_in_row: 10 },
        });
        const refused = await page.call(method, path, proofOf(codeOf(secret)));
        assert.equal(refused.code, 1429);
        assert.match(refused.message, /^10 wrong codes in a row followed the right password; /);
        assert.equal((await signIn(name, codeOf(secret))).code, 1429);
        await page.succeed(method, path, proofOf(recoveryCodes[0]));
      });
    });
  }
});
