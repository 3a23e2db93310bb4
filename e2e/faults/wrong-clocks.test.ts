import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '@fieldroster/signing';
import { Secret, TOTP } from 'otpauth';
import { ConsoleBrowser, operatorPassword } from '../../packages/server/test/console-browser.ts';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import {
  type CommandResult,
  collectResult,
  expectFieldroster,
  runFieldroster,
  spawnFieldroster,
} from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { countAuditEvents, readAcceptedWrites, readRows } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';
import { type Envelope, type SignedCall, SignedClient } from '../signed-client.ts';
import { FakeClock, faketimeIsMissing, findFaketime } from './fake-clock.ts';

const faketime = findFaketime();
if (faketime === undefined)
  console.error(`NOT TESTED: servers with wrong clocks, because ${faketimeIsMissing}`);
else describe('a signed write takes effect once', () => testClocks(faketime));

function testClocks(library: string): void {
  describe('on PostgreSQL', () => {
    let postgres: TestPostgres;
    before(async () => {
      postgres = await openTestPostgres();
    });
    after(() => postgres.stop());

    for (const aheadSeconds of atScale({ bounded: [300], full: [300, -300] })) {
      test(`beside a node whose clock is ${aheadSeconds} s off, which says so, as the doctor does elsewhere`, async (t) => {
        const directory = await provisionFor(t, await postgres.createMigratedDatabase());
        const good = await start(t, directory);
        const write = await bindStore(t, directory, good);
        assert.equal((await write.send()).code, 0);
        const clock = new FakeClock(directory.folder, library);
        clock.jumpTo(aheadSeconds);
        const wrong = await start(t, directory, clock);
        await wrong.until(() => /clock_difference_ms/.test(wrong.output));
        assert.match(wrong.output, /this machine's clock is (ahead of|behind) the database's/);
        const place = ['--data', directory.data, '--database', directory.database ?? ''];
        const { stdout } = await runFieldroster('doctor', '--quick', ...place);
        assert.match(stdout, /^error +clock +the clock of \S+ was (299(\.\d)?|300) s (ahead of|behind) /m);
        const { code, message } = await write.signAgain().sendTo(wrong);
        assert.equal(code, 1503, message);
        assert.match(message, /^the server's clock is \d+ seconds (ahead of|behind) its database's/);
        const replays = atScale({ bounded: 2, full: 18 });
        for (let replay = 0; replay < replays; replay++) {
          await delay(fullScale ? 3_000 : 500);
          assert.equal((await write.send()).code, 1015);
        }
        assert.equal(await write.timesApplied(), 1);
        assert.doesNotMatch(good.output, /clock_difference_ms/);
        t.diagnostic(`figure: ${replays} replays answered 1015; applied ${await write.timesApplied()} time`);
      });
    }

    for (const aheadSeconds of atScale({ bounded: [7_200], full: [7_200, -7_200] })) {
      test(`and a node whose clock is ${aheadSeconds} s off opens an operator's link, accepts the codes of a second factor, and leaves the session to the others`, async (t) => {
        const directory = await provisionFor(t, await postgres.createMigratedDatabase());
        const clock = new FakeClock(directory.folder, library);
        clock.jumpTo(aheadSeconds);
        const wrong = await start(t, directory, clock);
        const page = await signUp(directory, wrong);
        await turnOnSecondFactor(page);
        const other = browserOf(await start(t, directory));
        other.cookie = page.cookie;
        await other.succeed('GET', '/session');
      });

      test(`and such a node, ${aheadSeconds} s off, lets nobody wait for longer than a minute after ten wrong codes or passwords`, async (t) => {
        const directory = await provisionFor(t, await postgres.createMigratedDatabase());
        const clock = new FakeClock(directory.folder, library);
        clock.jumpTo(aheadSeconds);
        const wrong = await start(t, directory, clock);
        const page = await signUp(directory, wrong);
        await page.succeed('POST', '/second-factor', { password: operatorPassword });
        const guesses = [
          () => page.call('PUT', '/second-factor', { code: '000000' }),
          () => browserOf(wrong).call('POST', '/session', { username: 'nobody', password: 'wrong' }),
        ];
        for (const guess of guesses) {
          await Promise.all(Array.from({ length: 10 }, guess));
          const { code, message, headers } = await guess();
          assert.equal(code, 1429, message);
          const seconds = Number(headers.get('Retry-After'));
          assert.ok(seconds > 1 && seconds <= 60, message);
        }
      });

      test(`and a step of ${aheadSeconds} s of a node's clock changes nothing for its operators`, async (t) => {
        const directory = await provisionFor(t, await postgres.createMigratedDatabase());
        const clock = new FakeClock(directory.folder, library);
        const server = await start(t, directory, clock);
        const page = await signUp(directory, server);
        clock.jumpTo(aheadSeconds);
        await turnOnSecondFactor(page);
      });

      test(`and a command on a machine whose clock is ${aheadSeconds} s off lists the links that work, and withdraws them`, async (t) => {
        const directory = await provisionFor(t, await postgres.createMigratedDatabase());
        const clock = new FakeClock(directory.folder, library);
        clock.jumpTo(aheadSeconds);
        await invite(directory, 'http://127.0.0.1:1');
        const listed = await runWithClock(clock, 'operator', 'links', '--json', ...directory.flags);
        const links = JSON.parse(listed.stdout) as readonly { readonly id: string }[];
        assert.equal(links.length, 1, listed.stderr);
        await expectWithClock(clock, 'operator', 'withdraw', String(links[0]?.id), ...directory.flags);
        assert.deepEqual(await readRows(directory, 'select 1 from operator_link'), []);
      });
    }

    test('also if a restore of a backup from before it ran on a machine whose clock is behind', async (t) => {
      const directory = await provisionFor(t, await postgres.createMigratedDatabase());
      const backup = join(directory.folder, 'before.backup');
      const original = await start(t, directory);
      const write = await bindStore(t, directory, original);
      await expectFieldroster('backup', '--to', backup, ...directory.flags);
      assert.equal((await write.send()).code, 0);
      await original.stop();
      const database = await postgres.createDatabase();
      const restored = { ...directory, database, flags: ['--data', directory.data, '--database', database] };
      const clock = new FakeClock(directory.folder, library);
      clock.jumpTo(-600);
      await expectWithClock(clock, 'restore', '--from', backup, ...restored.flags);
      const { code, message } = await write.sendTo(await start(t, restored));
      assert.equal(code, 1012, message);
      assert.equal(await countAuditEvents(restored, 'bind-user-store', write.userId), 0);
    });

    test('an hour set by a command on a machine whose clock is behind lasts an hour', async (t) => {
      const directory = await provisionFor(t, await postgres.createMigratedDatabase());
      const { flags, credentials } = directory;
      const clock = new FakeClock(directory.folder, library);
      clock.jumpTo(-7_200);
      await expectWithClock(clock, 'app', 'update', credentials.appId, '--expires-in', '1h', ...flags);
      await expectWithClock(clock, 'app', 'rotate', credentials.appId, '--old-expires-in', '1h', ...flags);
      await expectWithClock(clock, 'operator', 'invite', '--console-url', 'http://127.0.0.1:1', ...flags);
      const server = await start(t, directory);
      const withFormerSecret = new SignedClient(server.url, credentials);
      t.after(() => withFormerSecret.close());
      const { code, message } = await withFormerSecret.call('GET', '/user?username=nobody');
      assert.equal(code, 1101, message);
      const [link] = await readRows(directory, 'select expires_at from operator_link');
      assert.ok(Number(link?.expires_at) > Date.now(), 'the link has not ended');
    });

    for (const aheadSeconds of [600, -600]) {
      test(`and a clock that is ${aheadSeconds} s off does not hide from restore --finish which servers run`, async (t) => {
        const directory = await provisionFor(t, await postgres.createMigratedDatabase());
        const server = await start(t, directory);
        const clock = new FakeClock(directory.folder, library);
        clock.jumpTo(aheadSeconds);
        const finish = () => runWithClock(clock, 'restore', '--finish', ...directory.flags);
        const refused = await finish();
        assert.match(refused.stderr, new RegExp(`process ${server.pid} on .* might accept a write again`));
        assert.equal(refused.exitCode, 1);
        await server.stop();
        assert.equal((await finish()).exitCode, 0);
      });
    }
  });

  describe('on SQLite', () => {
    test('with a clock that jumps an hour ahead and back', async (t) => {
      const directory = await provisionFor(t);
      const clock = new FakeClock(directory.folder, library);
      const server = await start(t, directory, clock);
      const write = await bindStore(t, directory, server);
      assert.equal((await write.send()).code, 0);
      assert.equal((await write.send()).code, 1015);
      clock.jumpTo(3_600);
      // The server purges every ten seconds.
      await server.until(async () => (await readAcceptedWrites(directory)).size === 0);
      assert.match((await write.send()).message, /seconds behind the server's time/);
      clock.jumpTo(0);
      const { code, message } = await write.send();
      assert.equal(code, 1012);
      assert.match(message, /was purged/);
      assert.equal(await write.timesApplied(), 1);
      assert.equal((await write.signAgain().send()).code, 0, 'a write that is signed now is accepted');
    });

    if (!fullScale) return;

    test('after a clock ran ahead, which refuses writes until the operator resets the record', async (t) => {
      const directory = await provisionFor(t);
      const clock = new FakeClock(directory.folder, library);
      const server = await start(t, directory, clock);
      const write = await bindStore(t, directory, server);
      clock.jumpTo(3_600);
      const early = write.signAgain(3_600);
      assert.equal((await early.send()).code, 0);
      clock.jumpTo(7_200);
      await server.until(async () => (await readAcceptedWrites(directory)).size === 0);
      clock.jumpTo(0);
      assert.match((await write.signAgain().send()).message, /`fieldroster claims status`$/);
      const status = JSON.parse(
        await expectFieldroster('claims', 'status', ...directory.flags, '--json'),
      ) as { refuses_writes: boolean };
      assert.equal(status.refuses_writes, true);
      await expectFieldroster('claims', 'reset', '--yes', ...directory.flags);
      const [row] = await readRows(directory, "select value from counter where name = 'purged_through'");
      const refusedForSeconds = Number(row?.value) - 60 - Math.floor(Date.now() / 1000);
      assert.ok(refusedForSeconds <= 90, String(refusedForSeconds));
      await delay((refusedForSeconds + 1) * 1_000);
      assert.equal((await write.signAgain().send()).code, 0);
    });
  });
}

async function provisionFor(t: TestContext, database?: string): Promise<Provisioned> {
  const directory = await provisionDirectory(1, database);
  t.after(() => directory.remove());
  return directory;
}

async function start(t: TestContext, { flags }: Provisioned, clock?: FakeClock): Promise<ServerProcess> {
  const server = await ServerProcess.start({ flags, ...(clock && { environment: clock.environment }) });
  t.after(() => server.kill());
  return server;
}

/** A browser whose clock is right. It makes no operator, so it needs no database. */
function browserOf({ port }: ServerProcess): ConsoleBrowser {
  return new ConsoleBrowser({ port, nowMs: Date.now() });
}

async function invite({ flags }: Provisioned, url: string): Promise<string> {
  const words = ['operator', 'invite', '--role', 'owner', '--console-url', `${url}/console`];
  const [, token] = /#(\S+)/.exec(await expectFieldroster(...words, ...flags)) ?? [];
  assert(token !== undefined, 'the command prints a link');
  return token;
}

/** Makes the operator `ada`, and returns the browser in which she is signed in. */
async function signUp(directory: Provisioned, server: ServerProcess): Promise<ConsoleBrowser> {
  const token = await invite(directory, server.url);
  const page = browserOf(server);
  await page.succeed('POST', '/link', { token, username: 'ada', password: operatorPassword });
  return page;
}

async function turnOnSecondFactor(page: ConsoleBrowser): Promise<void> {
  const { data } = await page.succeed('POST', '/second-factor', { password: operatorPassword });
  await page.succeed('PUT', '/second-factor', { code: codeOf(data.secret) });
}

function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

function runWithClock(clock: FakeClock, ...commandArguments: readonly string[]): Promise<CommandResult> {
  return collectResult(spawnFieldroster(commandArguments, clock.environment));
}

async function expectWithClock(clock: FakeClock, ...commandArguments: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runWithClock(clock, ...commandArguments);
  assert.equal(exitCode, 0, stderr);
}

/** A signed write that can be sent repeatedly. */
interface Write {
  readonly userId: number;
  send(): Promise<Envelope>;
  sendTo(other: ServerProcess): Promise<Envelope>;
  /** Signs the same write again, that many seconds ahead of the machine's clock. */
  signAgain(aheadSeconds?: number): Write;
  timesApplied(): Promise<number>;
}

async function bindStore(t: TestContext, directory: Provisioned, server: ServerProcess): Promise<Write> {
  const client = new SignedClient(server.url, directory.credentials);
  t.after(() => client.close());
  const { data } = await client.call('POST', '/user/stores', { username: 'bound' });
  const id = Number(data?.id);
  const body = JSON.stringify({ user_id: id, store_code: directory.storeCodes[0] });
  const sign = (aheadSeconds = 0): Write => {
    const request = { method: 'POST', target: '/user/store', body };
    const timestampSeconds = Math.floor(Date.now() / 1000) + aheadSeconds;
    const { headers } = signRequest({ ...directory.credentials, ...request, timestampSeconds });
    const call: SignedCall = { ...request, headers: { ...headers, 'Content-Type': 'application/json' } };
    return {
      userId: id,
      send: () => client.send(call),
      async sendTo(other) {
        const toOther = new SignedClient(other.url, directory.credentials);
        t.after(() => toOther.close());
        return toOther.send(call);
      },
      signAgain: sign,
      timesApplied: () => countAuditEvents(directory, 'bind-user-store', id),
    };
  };
  return sign();
}
