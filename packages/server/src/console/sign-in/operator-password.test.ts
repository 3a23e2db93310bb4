import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, operatorPassword, owner } from '../../../test/console-browser.ts';
import { lowestCost, startTestServer, type TestServer } from '../../../test/test-server.ts';
import { PasswordHasher } from '../../passwords/password-hasher.ts';

/** The same password as two keyboards send it. */
const composed = 'caf\u00e9 \ufb01xture na\u00efve wren';
const decomposed = 'cafe\u0301 fixture nai\u0308ve wren';

describe('the password of an operator', () => {
  let server: TestServer;
  let inviter: ConsoleBrowser;

  before(async () => {
    server = await startTestServer();
    inviter = await joined('inviter');
  });

  after(() => server.close());

  async function joined(username: string): Promise<ConsoleBrowser> {
    const page = new ConsoleBrowser(server);
    await page.join(username, owner);
    return page;
  }

  const signIn = async (username: string, password: string) =>
    (await new ConsoleBrowser(server).call('POST', '/session', { username, password })).code;

  async function accept(username: string, password: string): Promise<ConsoleBrowser> {
    const invitation = {
      role: 'viewer',
      all_tenants: false,
      tenant_ids: [server.tenantId],
      password: operatorPassword,
    };
    const { token } = (await inviter.succeed('POST', '/operators', invitation)).data;
    const page = new ConsoleBrowser(server);
    await page.succeed('POST', '/link', { token, username, password });
    return page;
  }

  async function storeHashOf(username: string, password: string): Promise<void> {
    const { operators } = server.database;
    const { id } = (await operators.findByUsername(username)) ?? {};
    assert(id !== undefined);
    const owner = 'the test';
    const passwordHash = await new PasswordHasher(undefined, lowestCost).hash({ owner }, password);
    await operators.write(undefined, async (writer) => {
      await writer.update(id, { passwordHash });
      return { result: undefined };
    });
  }

  for (const [username, chosen, typed] of [
    ['one character', composed, decomposed],
    ['a letter and an accent', decomposed, composed],
  ] as const) {
    test(`is accepted in either form of its accents, chosen by a link or changed: ${username}`, async () => {
      const page = await accept(username, chosen);
      assert.equal(await signIn(username, typed), 0);
      assert.equal(await signIn(username, chosen), 0);
      const changed = { password: typed, new_password: `${chosen} again` };
      assert.equal((await page.call('PUT', '/password', changed)).code, 0);
      assert.equal(await signIn(username, `${typed} again`), 0);
      assert.equal(await signIn(username, typed.replace('wren', 'heron')), 1602);
    });
  }

  test('is accepted as it was typed when its hash was made without normalising it', async () => {
    await joined('former');
    await storeHashOf('former', decomposed);
    assert.equal(await signIn('former', decomposed), 0);
    assert.equal(await signIn('former', decomposed.replace('wren', 'heron')), 1602);
  });

  test('counts as one wrong guess, whatever its form', async () => {
    await joined('guessed');
    for (let attempt = 0; attempt < 9; attempt++)
      assert.equal(await signIn('guessed', `${decomposed} ${attempt}`), 1602);
    assert.equal(await signIn('guessed', operatorPassword), 0, 'after nine');
    for (let attempt = 0; attempt < 10; attempt++)
      assert.equal(await signIn('guessed', `${decomposed} ${attempt}`), 1602);
    assert.equal(await signIn('guessed', operatorPassword), 1429, 'after ten more');
  });
});
