import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, operatorPassword, owner, uuidV7 } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { Sessions } from './sessions.ts';

describe("an operator's own sessions", () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });

  after(() => server.close());

  async function joined(username: string) {
    const page = new ConsoleBrowser(server);
    await page.join(username, owner);
    return page;
  }

  async function signedIn(username: string, userAgent = 'another browser') {
    const page = new ConsoleBrowser(server);
    const credentials = { username, password: operatorPassword };
    await page.succeed('POST', '/session', credentials, { 'User-Agent': userAgent });
    return page;
  }

  async function listed(page: ConsoleBrowser) {
    return (await page.succeed('GET', '/sessions')).data.sessions;
  }

  async function idOf(page: ConsoleBrowser) {
    return (await listed(page)).find(({ current }) => current)?.id;
  }

  const isLive = async (page: ConsoleBrowser) => (await page.call('GET', '/session')).code === 0;
  const password = operatorPassword;

  test('are listed with browser, address, beginning and last use, and the current one is marked', async () => {
    const begunAtMs = server.nowMs;
    await joined('lister');
    server.nowMs += 1000;
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0';
    const page = await signedIn('lister', firefox);
    server.nowMs += 1000;
    const rows = (await listed(page)).map(({ current, user_agent, address, created_at, last_seen_at }) => [
      current,
      user_agent,
      address,
      Number(created_at) - begunAtMs,
      Number(last_seen_at) - begunAtMs,
    ]);
    assert.deepEqual(rows, [
      [true, firefox, '127.0.0.1', 1000, 2000],
      [false, 'node', '127.0.0.1', 0, 0],
    ]);
  });

  test('are listed without those that have ended, and without those of other operators', async () => {
    const page = await joined('tidy');
    await joined('somebody else');
    const idle = await signedIn('tidy');
    const leaver = await signedIn('tidy');
    await leaver.succeed('DELETE', '/session');
    assert.equal((await listed(page)).length, 2);
    const now = server.nowMs;
    try {
      server.nowMs = now + 11 * 3_600_000;
      await page.succeed('GET', '/session');
      server.nowMs = now + 12 * 3_600_000;
      assert.deepEqual(
        (await listed(page)).map(({ current }) => current),
        [true],
      );
      assert.equal(await isLive(idle), false);
    } finally {
      server.nowMs = now;
    }
  });

  test('name a browser with what fits, however long it says its name is', async () => {
    await joined('long');
    const page = await signedIn('long', 'x'.repeat(5000));
    const own = (await listed(page)).find(({ current }) => current);
    assert.equal(own?.user_agent, 'x'.repeat(300));
  });

  test('an id from the list opens no session', async () => {
    const page = await joined('id');
    const thief = new ConsoleBrowser(server);
    thief.cookie = `fieldroster_session=${await idOf(page)}`;
    assert.equal(await isLive(thief), false);
  });

  test('one ends at once, and the others stay', async () => {
    const page = await joined('one');
    const [lost, kept] = [await signedIn('one'), await signedIn('one')];
    await page.succeed('DELETE', '/sessions/one', { id: await idOf(lost), password });
    assert.deepEqual([await isLive(page), await isLive(lost), await isLive(kept)], [true, false, true]);
    const again = await page.call('DELETE', '/sessions/one', { id: 'no such', password });
    assert.deepEqual([again.code, again.status], [1619, 404]);
  });

  test('a repeated call is told that its session has ended already', async () => {
    const page = await joined('repeater');
    const end = { id: await idOf(await signedIn('repeater')), password };
    const headers = { 'Change-Id': uuidV7(server.nowMs) };
    await page.succeed('DELETE', '/sessions/one', end, headers);
    assert.equal((await page.call('DELETE', '/sessions/one', end, headers)).code, 1015);
    assert.equal((await page.call('DELETE', '/sessions/one', end)).code, 1619);
  });

  test('the current one can be ended too, which removes its cookie', async () => {
    const page = await joined('self');
    await page.succeed('DELETE', '/sessions/one', { id: await idOf(page), password });
    assert.equal(page.cookie, undefined);
  });

  test('one ends when its browser signs in again, even as somebody else, and the others stay', async () => {
    const page = await joined('returning');
    const stolen = new ConsoleBrowser(server);
    stolen.cookie = page.cookie;
    const elsewhere = await signedIn('returning');
    await page.succeed('POST', '/session', { username: 'returning', password });
    assert.deepEqual(await Promise.all([stolen, page, elsewhere].map(isLive)), [false, true, true]);
    stolen.cookie = page.cookie;
    await page.join('next at the desk', owner);
    assert.deepEqual(await Promise.all([stolen, page, elsewhere].map(isLive)), [false, true, true]);
    assert.equal((await listed(elsewhere)).length, 1);
  });

  test('one stays when its browser fails to sign in', async () => {
    const page = await joined('mistyping');
    const { code } = await page.call('POST', '/session', {
      username: 'mistyping',
      password: 'a wrong password',
    });
    assert.equal(code, 1602);
    assert.equal((await page.call('POST', '/link', { token: 'made-up', password })).code, 1607);
    assert.equal(await isLive(page), true);
  });

  test('all others end at once, and this one stays', async () => {
    const page = await joined('others');
    const others = [await signedIn('others'), await signedIn('others')];
    const stranger = await joined('stranger');
    await page.succeed('DELETE', '/sessions/others', { password });
    assert.deepEqual(
      (await listed(page)).map(({ current }) => current),
      [true],
    );
    for (const other of others) assert.equal(await isLive(other), false);
    assert.equal(await isLive(stranger), true);
  });

  test('end only for somebody who knows the password', async () => {
    const page = await joined('careful');
    const other = await signedIn('careful');
    const id = await idOf(other);
    const wrong = 'a guess of the password';
    assert.equal((await page.call('DELETE', '/sessions/one', { id, password: wrong })).code, 1602);
    assert.equal((await page.call('DELETE', '/sessions/others', { password: wrong })).code, 1602);
    assert.equal(await isLive(other), true);
  });

  test('of another operator cannot be ended', async () => {
    const page = await joined('attacker');
    const victim = await joined('victim');
    const id = await idOf(victim);
    assert.equal((await page.call('DELETE', '/sessions/one', { id, password })).code, 1619);
    assert.equal(await isLive(victim), true);
  });

  test('leave a record when they are ended', async () => {
    const page = await joined('recorded');
    const other = await signedIn('recorded');
    await page.succeed('DELETE', '/sessions/one', { id: await idOf(other), password });
    await page.succeed('DELETE', '/sessions/others', { password });
    const events = await server.database.operators.listEvents(2);
    assert.deepEqual(
      events.map(({ operation, changes }) => [operation, Object.keys(changes)]),
      [
        ['end-other-sessions', ['operator_id']],
        ['end-session', ['operator_id']],
      ],
    );
  });

  test('live on in every process after a use in one, until 12 hours after that', async () => {
    const { database } = server;
    const { operatorSessions } = database.bookkeeping;
    await joined('roamer');
    const openSessions = () =>
      new Sessions({ operators: database.operators, operatorSessions, now: () => server.nowMs });
    const [one, other] = [openSessions(), openSessions()];
    const operator = await database.operators.findByUsername('roamer');
    const origin = { userAgent: undefined, address: undefined };
    const token = await one.begin(operator ?? assert.fail(), origin);
    const isLiveIn = async (sessions: Sessions) =>
      (await sessions.find(token ?? assert.fail())) !== undefined;
    const startMs = server.nowMs;
    const [minuteMs, hourMs] = [60_000, 3_600_000];
    try {
      server.nowMs = startMs + 12 * hourMs - minuteMs;
      assert.equal(await isLiveIn(one), true);
      server.nowMs = startMs + 12 * hourMs + minuteMs;
      await other.forgetEnded();
      assert.equal(await isLiveIn(other), true);
      server.nowMs += 10 * hourMs;
      assert.equal(await isLiveIn(one), true, 'a use that the database does not know yet');
      server.nowMs += 10 * hourMs;
      await one.forgetEnded();
      assert.equal(await isLiveIn(one), true);
      server.nowMs += 12 * hourMs;
      assert.deepEqual([await isLiveIn(one), await isLiveIn(other)], [false, false]);
    } finally {
      server.nowMs = startMs;
    }
  });

  test('that end are recorded once, however often the missing record is added, and only if they existed', async () => {
    const { database } = server;
    const { operatorSessions } = database.bookkeeping;
    const page = await joined('recorder');
    const sessions = new Sessions({
      operators: database.operators,
      operatorSessions,
      now: () => server.nowMs,
    });
    const operator = await database.operators.findByUsername('recorder');
    assert.ok(operator !== undefined);
    const [session] = await sessions.list(operator);
    assert.ok(session !== undefined);
    const endAs = (requestId: string) => ({
      requestId,
      operatorId: operator.id,
      operation: 'end-session',
      atMs: server.nowMs,
    });
    const events = async () =>
      (await database.operators.listEvents(100)).filter(({ requestId }) => requestId?.startsWith('ends-'));
    assert.equal(await sessions.endForAudit(session, endAs('ends-1')), true);
    assert.equal(await isLive(page), false);
    assert.equal(await sessions.endForAudit(session, endAs('ends-2')), false);
    await sessions.recordEnds();
    await sessions.recordEnd(endAs('ends-1'));
    assert.deepEqual(
      (await events()).map(({ requestId, operatorId, atMs, changes }) => [
        requestId,
        operatorId,
        atMs,
        changes,
      ]),
      [['ends-1', operator.id, server.nowMs, { operator_id: String(operator.id) }]],
    );
    assert.deepEqual(await operatorSessions.listEnds(), []);
  });
});
