import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { ConsoleBrowser, operatorPassword } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { openSqliteDatabase } from '../../database/sqlite/open.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BusyError } from '../../errors/busy-error.ts';
import { CodeGuesses, type SayWait } from './code-guesses.ts';

const minuteMs = 60_000;

describe('guesses of codes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-code-guesses-'));
  const clock = { nowMs: 1_000_000 };
  const now = () => clock.nowMs;
  const database = await openSqliteDatabase({ folder, now });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens them as another process of the same deployment would. */
  const openGuesses = () =>
    new CodeGuesses({
      failures: database.bookkeeping.passwordFailures,
      keyedHash: (text) => `hash of ${text}`,
      now,
    });
  const processes = [openGuesses(), openGuesses()];
  const sayWait: SayWait = (values) => ({ key: 'manyCodes', values });
  const wrong = async () => undefined;
  const right = async () => true as const;
  const guess = (subject: string, check: (row: number) => Promise<true | undefined>, process = 0) =>
    (processes[process] as CodeGuesses).count(subject, sayWait, check);

  async function waitOf(subject: string): Promise<number | undefined> {
    const error = await guess(subject, right).catch((error: unknown) => error);
    if (!(error instanceof ApiError)) return undefined;
    assert.equal(error.code, 1429);
    return error.retryAfterSeconds;
  }

  async function failTenTimes(subject: string): Promise<void> {
    for (let count = 0; count < 10; count += 1)
      assert.equal(await guess(subject, wrong, count % 2), undefined);
  }

  test('after ten wrong codes in a row, in any process, the wait doubles from a minute to an hour', async () => {
    await failTenTimes('doubled');
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 8; count += 1) {
      const seconds = await waitOf('doubled');
      waits.push(seconds);
      clock.nowMs += (seconds ?? 0) * 1000;
      await guess('doubled', wrong, count % 2);
    }
    assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
    assert.equal(await guess('another', right), true);
  });

  test('a right code ends the row of wrong ones', async () => {
    await failTenTimes('remembered');
    clock.nowMs += minuteMs;
    assert.equal(await guess('remembered', right), true);
    await failTenTimes('remembered');
    assert.equal(await waitOf('remembered'), 60);
  });

  test('wrong codes count as successive even days apart', async () => {
    await failTenTimes('patient');
    clock.nowMs += 7 * 24 * 60 * minuteMs;
    await guess('patient', wrong);
    assert.equal(await waitOf('patient'), 120);
  });

  test('of concurrent guesses, ten are checked, and after a wait one; the refused ones count as no wrong code', async () => {
    const checked: number[] = [];
    const check = async (wrongInRow: number) => {
      checked.push(wrongInRow);
      return undefined;
    };
    const guessAtOnce = () =>
      Promise.allSettled(Array.from({ length: 30 }, (_, index) => guess('rush', check, index % 2)));
    await guessAtOnce();
    assert.equal(checked.length, 10);
    clock.nowMs += 60 * minuteMs;
    await guessAtOnce();
    clock.nowMs += 60 * minuteMs;
    await guess('rush', check);
    assert.deepEqual([checked.length, checked.at(-1)], [12, 12]);
  });

  test('a check that could not be made counts as no wrong code, and begins no wait', async () => {
    const fail = () => Promise.reject(new BusyError('the database is busy'));
    for (let count = 0; count < 9; count += 1) await guess('broken', wrong);
    for (let count = 0; count < 3; count += 1) await assert.rejects(guess('broken', fail), BusyError);
    const rows: number[] = [];
    const note = async (wrongInRow: number) => {
      rows.push(wrongInRow);
      return undefined;
    };
    await guess('broken', note);
    assert.deepEqual(rows, [10]);
  });
});

describe('somebody who guesses the codes of an operator', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
  });

  after(() => server.close());

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.nowMs });
  const wrongCodeOf = (secret: string) =>
    String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0');

  /** Makes an operator with a second factor. */
  async function operatorWithFactor(username: string) {
    const page = new ConsoleBrowser(server);
    await page.join(username, { role: 'owner', allTenants: true, tenantIds: [] });
    const { data: begun } = await page.succeed('POST', '/second-factor', { password: operatorPassword });
    const { data } = await page.succeed('PUT', '/second-factor', { code: codeOf(begun.secret) });
    server.nowMs += 30_000;
    const signIn = (code: string, password = operatorPassword) =>
      new ConsoleBrowser(server).call('POST', '/session', { username, password, code });
    const guessTenTimes = async (password = operatorPassword) => {
      for (let count = 0; count < 10; count += 1)
        assert.equal((await signIn(wrongCodeOf(begun.secret), password)).code, 1602);
    };
    return { page, secret: begun.secret, recoveryCodes: data.recovery_codes, signIn, guessTenTimes };
  }

  test('has to wait after ten, over all sign-ins, and the refusal says how long and what else to do', async () => {
    const { secret, signIn, guessTenTimes } = await operatorWithFactor('guessed');
    await guessTenTimes();
    const refused = await signIn(codeOf(secret));
    assert.equal(refused.code, 1429);
    assert.match(
      refused.message,
      /^10 wrong codes in a row followed the right password; try again in 1 min, or use a recovery code\. If you did not enter them, somebody knows your password: change it$/,
    );
    assert.equal(refused.headers.get('retry-after'), '60');
    server.nowMs += minuteMs;
    assert.equal((await signIn(wrongCodeOf(secret))).code, 1602);
    server.nowMs += minuteMs;
    assert.match((await signIn(codeOf(secret))).message, /^11 wrong codes .* in 1 min,/);
    server.nowMs += minuteMs;
    assert.equal((await signIn(codeOf(secret))).code, 0);
  });

  test('does not keep the operator from using a recovery code', async () => {
    const { secret, signIn, guessTenTimes, recoveryCodes } = await operatorWithFactor('recovered');
    await guessTenTimes();
    assert.equal((await signIn(codeOf(secret))).code, 1429);
    assert.equal((await signIn(recoveryCodes[0] ?? '')).code, 0);
  });

  test('cannot make the operator wait for codes without the password', async () => {
    const { secret, signIn, guessTenTimes } = await operatorWithFactor('attacked');
    await guessTenTimes('not the password');
    server.nowMs += minuteMs;
    assert.equal((await signIn(codeOf(secret))).code, 0);
  });

  test('is in the trail of operators from the tenth wrong code on', async () => {
    const { secret, signIn, guessTenTimes } = await operatorWithFactor('recorded');
    await guessTenTimes();
    server.nowMs += minuteMs;
    await signIn(wrongCodeOf(secret));
    const operator = await server.database.operators.findByUsername('recorded');
    const events = await server.database.operators.listEvents(100);
    const own = events.filter(
      ({ operatorId, operation }) => operatorId === operator?.id && operation === 'wrong-codes',
    );
    assert.deepEqual(
      own.map(({ changes }) => changes),
      [{ wrong_codes_in_row: 11 }, { wrong_codes_in_row: 10 }],
    );
  });

  test('does not make the operator wait any longer once a new second factor is set up', async () => {
    const { page, guessTenTimes, recoveryCodes } = await operatorWithFactor('replaced');
    await guessTenTimes();
    const proof = { password: operatorPassword, code: recoveryCodes[0] };
    const { data } = await page.succeed('POST', '/second-factor', proof);
    await page.succeed('PUT', '/second-factor', { code: codeOf(data.secret) });
    server.nowMs += 30_000;
    const credentials = { username: 'replaced', password: operatorPassword, code: codeOf(data.secret) };
    await new ConsoleBrowser(server).succeed('POST', '/session', credentials);
  });

  test('cannot go on guessing the code of a new second factor, unless with the password', async () => {
    const { page, recoveryCodes } = await operatorWithFactor('renewed');
    const proof = (index: number) => ({ password: operatorPassword, code: recoveryCodes[index] });
    const { data } = await page.succeed('POST', '/second-factor', proof(0));
    const confirm = (code: string) => page.call('PUT', '/second-factor', { code });
    for (let count = 0; count < 10; count += 1)
      assert.equal((await confirm(wrongCodeOf(data.secret))).code, 1602);
    assert.match(
      (await confirm(codeOf(data.secret))).message,
      /^10 codes in a row were wrong; try again in 1 min, or begin to set up the second factor again$/,
    );
    server.nowMs += minuteMs;
    assert.equal((await confirm(wrongCodeOf(data.secret))).code, 1602);
    server.nowMs += minuteMs;
    assert.equal((await confirm(codeOf(data.secret))).code, 1429);
    const { data: again } = await page.succeed('POST', '/second-factor', proof(1));
    await page.succeed('PUT', '/second-factor', { code: codeOf(again.secret) });
  });
});
