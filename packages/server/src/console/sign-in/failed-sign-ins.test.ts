import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { ConsoleBrowser, owner, operatorPassword as password } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});

after(() => server.close());

const signIn = (username: string, typed: string) =>
  new ConsoleBrowser(server).call('POST', '/session', { username, password: typed });

/** Returns code, operator and hashed username from the lines of the last sign-ins. */
function lastLines(count: number) {
  return server.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ operation }) => operation === 'sign-in')
    .slice(-count)
    .map(({ code, operator, username_hash }) => ({ code, operator, username_hash }));
}

test('the log has a keyed hash of the username of each failed sign-in, the same for every attempt', async () => {
  const page = new ConsoleBrowser(server);
  await page.join('factor', owner);
  const { data } = await page.succeed('POST', '/second-factor', { password });
  const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate({ timestamp: server.nowMs });
  await page.succeed('PUT', '/second-factor', { code });
  await signIn('factor', 'wrong');
  await signIn('factor', password);
  await signIn('nobody', 'wrong');
  const [wrong, needsCode, nobody] = lastLines(3);
  assert.match(String(wrong?.username_hash), /^[0-9a-f]{16}$/);
  assert.deepEqual(wrong, { code: 1602, operator: null, username_hash: wrong?.username_hash });
  assert.deepEqual(needsCode, { ...wrong, code: 1603 });
  assert.equal(nobody?.code, 1602);
  assert.match(String(nobody?.username_hash), /^[0-9a-f]{16}$/);
  assert.notEqual(nobody?.username_hash, wrong?.username_hash);
  assert.ok(!server.logLines.some((line) => line.includes('nobody')), 'no name that somebody typed');
});

test('so has the line of a sign-in that is refused after too many, and that of a password replaced meanwhile', async ({
  mock,
}) => {
  for (let count = 0; count < 10; count += 1) await signIn('guessed', `wrong ${count}`);
  await signIn('guessed', 'wrong');
  const [tenth, refused] = lastLines(2);
  assert.deepEqual([tenth?.code, refused?.code], [1602, 1429]);
  assert.equal(refused?.username_hash, tenth?.username_hash);
  await new ConsoleBrowser(server).join('replaced', owner);
  const { operators, bookkeeping } = server.database;
  const { operatorSessions } = bookkeeping;
  const insert = operatorSessions.insert.bind(operatorSessions);
  mock.method(operatorSessions, 'insert', async (session: Parameters<typeof insert>[0]) => {
    await operators.write(undefined, async (writer) => {
      await writer.update(session.operatorId, { passwordHash: 'another' });
      return { result: undefined, event: { operation: 'test', changes: {} } };
    });
    return insert(session);
  });
  await signIn('replaced', password);
  const [replaced] = lastLines(1);
  assert.equal(replaced?.code, 1602);
  assert.match(String(replaced?.username_hash), /^[0-9a-f]{16}$/);
});
