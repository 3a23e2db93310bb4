import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import {
  type ConsoleOperation,
  consoleOperations,
  directoryOperationKeys,
  operatorRoles,
  tenantPath,
} from '@fieldroster/contract/console';
import { Secret, TOTP } from 'otpauth';
import { ConsoleBrowser, operatorPassword } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { OperatorRole } from '../../database/database.ts';

describe('a mandatory second factor', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ settings: { secondFactor: 'everyone' } });
  });

  after(() => server.close());

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.nowMs });

  async function joined(username: string, role: OperatorRole = 'owner', at = server) {
    const page = new ConsoleBrowser(at);
    await page.join(username, { role, allTenants: true, tenantIds: [] });
    return page;
  }

  /** Sets up a second factor, as the page does. Returns its secret. */
  async function setUp(page: ConsoleBrowser, code?: string): Promise<string> {
    const { data } = await page.succeed('POST', '/second-factor', { password: operatorPassword, code });
    await page.succeed('PUT', '/second-factor', { code: codeOf(data.secret) });
    return data.secret;
  }

  test('lets an operator without one reach nothing but their own account', async () => {
    const page = await joined('without');
    const own = Object.values<ConsoleOperation>(consoleOperations);
    const beyond = [
      ...own.filter(({ reach }) => reach === 'tenant' || reach === 'deployment'),
      ...directoryOperationKeys.map((key) => {
        const { name, method, path }: Operation = operations[key];
        return { name, method, path: tenantPath + path };
      }),
    ];
    for (const { name, method, path } of beyond) {
      const target = path.replace(':tenant', String(server.tenantId));
      const refused = await page.call(method, target, method === 'GET' ? undefined : {});
      assert.deepEqual([refused.code, refused.status], [1621, 403], name);
      assert.match(refused.message, /set up your second factor first/);
    }
  });

  test('tells an operator without one so, and hides even the names of tenants', async () => {
    const page = await joined('told');
    const { data } = await page.succeed('GET', '/session');
    const { second_factor, second_factor_mandatory } = data.operator;
    assert.deepEqual([second_factor, second_factor_mandatory, data.tenants], [false, true, []]);
  });

  test('opens the console as soon as it is set up, and asks for a code at the next sign-in', async () => {
    const page = await joined('ready');
    const secret = await setUp(page);
    await page.succeed('GET', '/operators');
    const { data } = await page.succeed('GET', '/session');
    assert.equal(data.tenants.length, 2);
    const credentials = { username: 'ready', password: operatorPassword };
    const next = new ConsoleBrowser(server);
    assert.equal((await next.call('POST', '/session', credentials)).code, 1603);
    server.nowMs += 30_000;
    await next.succeed('POST', '/session', { ...credentials, code: codeOf(secret) });
    await next.succeed('GET', '/operators');
  });

  test('cannot be turned off, but replaced', async () => {
    const page = await joined('steady');
    const secret = await setUp(page);
    server.nowMs += 30_000;
    const proof = { password: operatorPassword, code: codeOf(secret) };
    const refused = await page.call('DELETE', '/second-factor', proof);
    assert.deepEqual([refused.code, refused.status], [1621, 403]);
    await page.succeed('GET', '/operators');
    await setUp(page, proof.code);
    await page.succeed('GET', '/operators');
  });

  test('ends the other sessions once it is set up, because they began without a code', async () => {
    const page = await joined('outlived');
    const stolen = page.cookie;
    const thief = new ConsoleBrowser(server);
    await thief.succeed('POST', '/session', { username: 'outlived', password: operatorPassword });
    server.nowMs += 1000;
    await setUp(page);
    assert.equal((await thief.call('GET', '/operators')).code, 1601);
    thief.cookie = stolen;
    assert.equal((await thief.call('GET', '/operators')).code, 1601, 'the cookie from before it');
    await page.succeed('GET', '/operators');
  });

  test('opens no session for sign-ins without a code that are still under way when it is confirmed', async () => {
    const page = await joined('raced');
    const { data } = await page.succeed('POST', '/second-factor', { password: operatorPassword });
    const others = Array.from({ length: 8 }, () => new ConsoleBrowser(server));
    const signingIn = others.map((other) =>
      other.call('POST', '/session', { username: 'raced', password: operatorPassword }),
    );
    // They take turns, so the first answer leaves others under way.
    await Promise.race(signingIn);
    await page.succeed('PUT', '/second-factor', { code: codeOf(data.secret) });
    await Promise.all(signingIn);
    const codes = await Promise.all(
      others.map(async (other) => (await other.call('GET', '/operators')).code),
    );
    assert.deepEqual(new Set(codes), new Set([1601]));
    await page.succeed('GET', '/operators');
  });

  test('is confirmed by ten guesses at most in a minute, which do not keep the operator from signing in', async () => {
    const page = await joined('guessed');
    const { data } = await page.succeed('POST', '/second-factor', { password: operatorPassword });
    const right = codeOf(data.secret);
    const guess = (code: string) => page.call('PUT', '/second-factor', { code });
    const wrong = String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');
    const codes = [];
    for (let attempt = 0; attempt < 10; attempt++) codes.push((await guess(wrong)).code);
    assert.deepEqual(new Set(codes), new Set([1602]));
    assert.equal((await guess(right)).code, 1429);
    const credentials = { username: 'guessed', password: operatorPassword };
    await new ConsoleBrowser(server).succeed('POST', '/session', credentials);
    server.nowMs += 60_000;
    await page.succeed('PUT', '/second-factor', { code: codeOf(data.secret) });
  });

  test('a reset link turns it off, and the operator sets up a new one', async () => {
    const chief = await joined('chief');
    await setUp(chief);
    const page = await joined('lost phone');
    await setUp(page);
    const { data } = await page.succeed('GET', '/session');
    const reset = await chief.succeed('POST', '/operators/reset', {
      id: data.operator.id,
      password: operatorPassword,
    });
    await page.succeed('POST', '/link', { token: reset.data.token, password: 'another long one' });
    assert.equal((await page.call('GET', '/operators')).code, 1621);
  });

  for (const [rule, bound] of [
    ['optional', []],
    ['owners', ['owner']],
    ['managers', ['manager', 'owner']],
    ['everyone', operatorRoles],
  ] as const) {
    test(`with the setting ${rule}, is mandatory for ${bound.join(' and ') || 'nobody'}`, async () => {
      const other = await startTestServer({ settings: { secondFactor: rule } });
      try {
        for (const role of operatorRoles) {
          const page = await joined(role, role, other);
          const { code } = await page.call('GET', `/tenants/${other.tenantId}/users`);
          assert.equal(code, (bound as readonly string[]).includes(role) ? 1621 : 0, role);
        }
      } finally {
        await other.close();
      }
    });
  }
});
