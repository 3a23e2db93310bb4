import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { isBusy, retryWhileBusy } from './retry-while-busy.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-retry-'));
const path = join(folder, 'test.db');
const holder = new DatabaseSync(path, { timeout: 0 });
const waiter = new DatabaseSync(path, { timeout: 0 });
holder.exec('pragma journal_mode = wal; create table entry (n integer)');

after(() => {
  holder.close();
  waiter.close();
  rmSync(folder, { recursive: true });
});

/** Counts the attempts to take the lock, and calls `before` with their number before each. */
function lockAttempt(before: (attempts: number) => void = () => {}) {
  const counter = {
    attempts: 0,
    attempt: () => {
      counter.attempts += 1;
      before(counter.attempts);
      waiter.exec('begin immediate');
    },
  };
  return counter;
}

test('a lock released in time is acquired once', async () => {
  holder.exec('begin immediate');
  const counter = lockAttempt((attempts) => attempts === 3 && holder.exec('rollback'));
  await retryWhileBusy(counter.attempt, 60_000, 1);
  assert.equal(counter.attempts, 3);
  assert.equal(waiter.isTransaction, true);
  waiter.exec('rollback');
});

test('a lock held longer than the wait rethrows the busy error', async () => {
  holder.exec('begin immediate');
  const counter = lockAttempt();
  await assert.rejects(retryWhileBusy(counter.attempt, 250, 1), isBusy);
  assert.ok(counter.attempts > 1, 'it was tried again');
  holder.exec('rollback');
});

test('any other error is thrown at once', async () => {
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    waiter.exec('select * from missing');
  };
  await assert.rejects(retryWhileBusy(attempt, 60_000, 1), /no such table/);
  assert.equal(attempts, 1);
});

test('a write to an outdated snapshot counts as busy, and errors from elsewhere do not', () => {
  waiter.exec('begin; select * from entry');
  holder.exec('insert into entry values (1)');
  let outdated: unknown;
  try {
    waiter.exec('insert into entry values (2)');
  } catch (error) {
    outdated = error;
  }
  waiter.exec('rollback');
  assert.equal((outdated as { errcode: number }).errcode, 517);
  assert.equal(isBusy(outdated), true);
  for (const other of [new Error('busy'), { errcode: 5 }, 5, undefined]) assert.equal(isBusy(other), false);
});
