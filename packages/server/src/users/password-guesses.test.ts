import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api-error.ts';
import { PasswordGuesses } from './password-guesses.ts';

const clock = { nowMs: 1_000_000 };
const now = () => clock.nowMs;
const wrong = async () => undefined;
const right = async () => 'right';

function guesser(username: string, appId = 'app', tenantId = 1n) {
  return { tenantId, appId, username };
}

function isRefusal(pattern: RegExp) {
  return (error: unknown) => error instanceof ApiError && error.code === 1429 && pattern.test(error.message);
}

test('after 300 wrong passwords an application waits, whatever the usernames, and another does not', async () => {
  const guesses = new PasswordGuesses(now);
  for (let count = 0; count < 300; count += 1) await guesses.count(guesser(`u${count}`), wrong);
  await assert.rejects(guesses.count(guesser('fresh'), right), isRefusal(/^the application app had 300/));
  assert.equal(await guesses.count(guesser('fresh', 'other'), right), 'right');
  clock.nowMs += 60_000;
  assert.equal(await guesses.count(guesser('fresh'), right), 'right');
});

test('a refusal for the application does not count against the username', async () => {
  const guesses = new PasswordGuesses(now);
  for (let count = 0; count < 300; count += 1) await guesses.count(guesser(`u${count}`), wrong);
  for (let count = 0; count < 20; count += 1)
    await assert.rejects(guesses.count(guesser('patient'), right), isRefusal(/^the application/));
  assert.equal(await guesses.count(guesser('patient', 'other'), right), 'right');
});

test('right passwords, and checks that could not be made, count for nothing', async () => {
  const guesses = new PasswordGuesses(now);
  for (let count = 0; count < 400; count += 1) {
    await guesses.count(guesser('u'), right);
    await assert.rejects(guesses.count(guesser('u'), () => Promise.reject(new Error('no database'))));
  }
  for (let count = 0; count < 10; count += 1) await guesses.count(guesser('u'), wrong);
  await assert.rejects(guesses.count(guesser('u'), right), isRefusal(/^this username had 10/));
  assert.equal(await guesses.count(guesser('u', 'app', 2n), right), 'right', 'of another tenant');
});
