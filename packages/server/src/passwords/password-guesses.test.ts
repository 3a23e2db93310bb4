import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
import { openSqliteDatabase } from '../database/sqlite/open.ts';
import { ApiError } from '../errors/api-error.ts';
import { BusyError } from '../errors/busy-error.ts';
import { FailuresWithFallback } from './failures-with-fallback.ts';
import { PasswordGuesses } from './password-guesses.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-guesses-'));
const clock = { nowMs: 1_000_000 };
const now = () => clock.nowMs;
const database = await openSqliteDatabase({ folder, now });
after(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const held: number[] = [];

/** Opens the guesses as another process of the same deployment would. */
function openGuesses(): PasswordGuesses {
  return new PasswordGuesses({
    failures: database.bookkeeping.passwordFailures,
    keyedHash: (text) => `hash of ${text}`,
    now,
    wait: async (ms) => void held.push(ms),
  });
}

const guesses = openGuesses();
const other = openGuesses();
const wrong = async () => undefined;
const right = async () => 'right';

function guesser(username: string, appId = username, tenantId = 1n) {
  return { tenantId, appId, username };
}

function isRefusal(pattern: RegExp) {
  return (error: unknown) => error instanceof ApiError && error.code === 1429 && pattern.test(error.message);
}

/** Gives an application 300 wrong passwords, as if it had checked 300 made-up usernames. */
async function throttle(appId: string): Promise<void> {
  const subject = `hash of application\n${appId}`;
  await database.bookkeeping.passwordFailures.change([{ subject, add: 300 }], 60_000);
}

test('ten wrong passwords make the user wait in every process, but no other tenant', async () => {
  const names = guesser('shared');
  for (const each of [guesses, other, guesses, other, guesses, other, guesses, other, guesses, other])
    assert.equal(await each.countFailures(names, wrong), undefined);
  for (const each of [guesses, other])
    await assert.rejects(each.countFailures(names, right), isRefusal(/^this username had 10 wrong/));
  assert.equal(await guesses.countFailures(guesser('shared', 'shared', 2n), right), 'right');
  clock.nowMs += 60_000;
  assert.equal(await other.countFailures(names, right), 'right');
});

test('a user who failed while the clock was ahead does not wait once it is set back', async () => {
  const names = guesser('ahead');
  clock.nowMs += 3_600_000;
  for (let count = 0; count < 10; count += 1) await guesses.countFailures(names, wrong);
  clock.nowMs -= 3_600_000;
  assert.equal(await guesses.countFailures(names, right), 'right');
});

/** Opens a database whose bookkeeping takes no writes until the lock is closed. */
async function openLocked(t: TestContext) {
  const own = mkdtempSync(join(folder, 'locked-'));
  const locked = await openSqliteDatabase({ folder: own, now, lockWaitMs: 1 });
  t.after(() => locked.close());
  const { passwordFailures: failures } = locked.bookkeeping;
  const lock = new DatabaseSync(join(own, 'fieldroster-bookkeeping.db'));
  lock.exec('begin immediate');
  return { failures, lock };
}

test('while the database takes no writes, ten wrong passwords make the user wait too, and a right one is found', async (t) => {
  const { failures, lock } = await openLocked(t);
  const counting = new PasswordGuesses({ failures, keyedHash: (text) => text, now, wait: async () => {} });
  const names = guesser('on.a.full.disk');
  const failTimes = async (times: number) => {
    for (let count = 0; count < times; count += 1)
      assert.equal(await counting.countFailures(names, wrong), undefined);
  };
  await assert.rejects(failures.change([{ subject: 'any', add: 1 }], 60_000), BusyError);
  await failTimes(9);
  assert.equal(await counting.countFailures(names, right), 'right');
  await failTimes(10);
  await assert.rejects(counting.countFailures(names, right), isRefusal(/^this username had 10 wrong/));
  lock.close();
  await assert.rejects(counting.countFailures(names, right), isRefusal(/^this username had 10 wrong/));
  clock.nowMs += 60_000;
  assert.equal(await counting.countFailures(names, right), 'right');
});

test('a failure that is taken back while the database takes no writes is not counted', async (t) => {
  const { failures, lock } = await openLocked(t);
  t.after(() => lock.close());
  const counted = new FailuresWithFallback(failures, now);
  const add = (count: number) => counted.change([{ subject: 'undone', add: count }], 60_000);
  await add(1);
  assert.equal((await add(1)).get('undone')?.failures, 2);
  await add(-1);
  await add(-1);
  assert.deepEqual(await counted.read(['undone'], 60_000), new Map());
});

test('concurrent attempts get no further than ten, across two processes', async () => {
  let checked = 0;
  const check = async () => {
    checked += 1;
    return undefined;
  };
  const attempts = Array.from({ length: 60 }, (_, index) =>
    (index % 2 === 0 ? guesses : other).countFailures(guesser('burst'), check),
  );
  const outcomes = await Promise.allSettled(attempts);
  const refused = outcomes.filter(({ status }) => status === 'rejected').length;
  assert.deepEqual({ checked, refused }, { checked: 10, refused: 50 });
});

test('300 wrong passwords for made-up usernames lock out nobody who made no mistake', async () => {
  await throttle('sprayed');
  assert.equal(await guesses.countFailures(guesser('careful', 'sprayed'), right), 'right');
  const both = [guesses, guesses].map((each) =>
    each.countFailures(guesser('twice.at.once', 'sprayed'), right),
  );
  assert.deepEqual(await Promise.all(both), ['right', 'right']);
});

test('a throttled application gets one wrong password for each username', async () => {
  await throttle('throttled');
  const names = guesser('guessed', 'throttled');
  assert.equal(await guesses.countFailures(names, wrong), undefined);
  await assert.rejects(
    other.countFailures(names, right),
    isRefusal(
      /^this username had a wrong password within a minute, and the application throttled had 300; try again in \d+ s$/,
    ),
  );
  assert.equal(await guesses.countFailures(guesser('guessed', 'another'), right), 'right');
});

test('right passwords, and checks that could not be made, are not counted', async () => {
  const names = guesser('steady');
  const impossible = () => Promise.reject(new Error('no database'));
  for (let count = 0; count < 2; count += 1) {
    for (let failures = 0; failures < 6; failures += 1) await guesses.countFailures(names, wrong);
    for (let failures = 0; failures < 4; failures += 1)
      await assert.rejects(guesses.countFailures(names, impossible), /no database/);
    assert.equal(await guesses.countFailures(names, right), 'right');
  }
});

test('a right password of a user without failures writes nothing', async () => {
  const before = await database.dataVersion();
  for (let count = 0; count < 5; count += 1) await guesses.countFailures(guesser('quiet'), right);
  assert.equal(await database.dataVersion(), before);
});

test('failures that arrive together share a commit', async () => {
  const { passwordFailures } = database.bookkeeping;
  let commits = 0;
  const batching = new PasswordGuesses({
    failures: {
      read: (subjects, windowMs) => passwordFailures.read(subjects, windowMs),
      change: (changes, windowMs) => {
        commits += 1;
        return passwordFailures.change(changes, windowMs);
      },
      forgetEnded: () => passwordFailures.forgetEnded(),
    },
    keyedHash: (text) => text,
    now,
    wait: async () => {},
  });
  const checks = Array.from({ length: 200 }, (_, index) =>
    batching.countFailures(guesser(`many.${index}`), wrong),
  );
  await Promise.all(checks);
  assert.ok(commits >= 1 && commits <= 3, `${commits} commits`);
});

test('refusals are delayed, longer after the first; right passwords are not', async () => {
  const heldBy = async (check: typeof right | typeof wrong) => {
    held.length = 0;
    await guesses.countFailures(guesser('held'), check).catch(() => {});
    return held.map((ms) => Math.ceil(ms / 1000));
  };
  assert.deepEqual(await heldBy(right), []);
  assert.deepEqual(await heldBy(wrong), [1]);
  assert.deepEqual(await heldBy(wrong), [2]);
  assert.deepEqual(await heldBy(right), []);
  for (let failures = 0; failures < 10; failures += 1) await guesses.countFailures(guesser('held'), wrong);
  assert.deepEqual(await heldBy(right), [2], '1429');
});

test('a check whose caller disconnects while it waits is not made', async () => {
  const caller = new AbortController();
  const blocked = Promise.withResolvers<string>();
  const first = guesses.countFailures(guesser('left'), () => blocked.promise);
  let checked = false;
  const second = guesses.countFailures({ ...guesser('left'), signal: caller.signal }, async () => {
    checked = true;
    return 'right';
  });
  caller.abort();
  blocked.resolve('first');
  assert.equal(await first, 'first');
  await assert.rejects(second, BusyError);
  assert.equal(checked, false);
});
