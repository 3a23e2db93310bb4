import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requests as english } from '../../i18n/en/requests.ts';
import { requests as chinese } from '../../i18n/zh/requests.ts';
import { readClockDifference } from './read-clock-difference.ts';

const answer = (seconds: number, direction: string) =>
  `Timestamp 1764336000 is ${seconds} seconds ${direction} the server's time 1764340000; at most 300 are accepted`;

test('a difference in seconds is said in days, hours and minutes, in both languages', () => {
  for (const [seconds, direction, inEnglish, inChinese] of [
    [4000, 'behind', 'The clock is 1 h 7 min behind.', '时钟慢了 1 小时 7 分钟。'],
    [3600, 'ahead of', 'The clock is 1 h ahead.', '时钟快了 1 小时。'],
    [301, 'behind', 'The clock is 5 min behind.', '时钟慢了 5 分钟。'],
    [2 * 86_400 + 60, 'ahead of', 'The clock is 2 d ahead.', '时钟快了 2 天。'],
    [90_000, 'ahead of', 'The clock is 1 d 1 h ahead.', '时钟快了 1 天 1 小时。'],
  ] as const) {
    const found = readClockDifference(answer(seconds, direction));
    assert(found !== undefined);
    assert.equal(english.clockOff(found), inEnglish);
    assert.equal(chinese.clockOff(found), inChinese);
  }
});

test('a small difference, a timestamp in another unit and any other answer give no difference', () => {
  assert.equal(readClockDifference(answer(65, 'behind')), undefined);
  assert.equal(readClockDifference(answer(1_764_336_000_000, 'ahead of')), undefined);
  assert.equal(readClockDifference('the Timestamp header is missing'), undefined);
});
