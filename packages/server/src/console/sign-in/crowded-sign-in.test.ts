import { after, before, test } from 'node:test';
import { ConsoleBrowser, operatorPassword, owner } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer({ settings: { trustProxy: '1' }, costlyPasswords: true });
});

after(() => server.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });

test('a stranger who keeps every password check busy stops nobody else from signing in or confirming a change', {
  timeout: 240_000,
}, async () => {
  const page = new ConsoleBrowser(server);
  await page.join('chief', owner);
  const stranger = startGuessing('203.0.113.7');
  try {
    await stranger.refused;
    await page.succeed('DELETE', '/sessions/others', { password: operatorPassword }, from('203.0.113.7'));
    const credentials = { username: 'chief', password: operatorPassword };
    await new ConsoleBrowser(server).succeed('POST', '/session', credentials, from('198.51.100.4'));
    const invited = await page.succeed('POST', '/operators', { ...invitation, password: operatorPassword });
    const { token } = invited.data;
    const accepted = { token, username: 'invited', password: 'several unrelated words' };
    await new ConsoleBrowser(server).succeed('POST', '/link', accepted, from('203.0.113.7'));
  } finally {
    await stranger.stop();
  }
});

const invitation = { role: 'viewer', all_tenants: true, tenant_ids: [] };

/** Signs in with made-up usernames on many connections; `refused` resolves once too many wait. */
function startGuessing(address: string) {
  const { promise: refused, resolve } = Promise.withResolvers<void>();
  let stopped = false;
  const guess = async (connection: number) => {
    for (let count = 0; !stopped; count += 1) {
      const guessed = { username: `${connection}-${count}`, password: 'guessed' };
      const { code } = await new ConsoleBrowser(server).call('POST', '/session', guessed, from(address));
      if (code === 1503) resolve();
    }
  };
  const guesses = Array.from({ length: 30 }, (_, connection) => guess(connection));
  return {
    refused,
    stop: async () => {
      stopped = true;
      await Promise.all(guesses);
    },
  };
}
