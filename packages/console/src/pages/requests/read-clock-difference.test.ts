import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requests as english } from '../../i18n/en/requests.ts';
import { requests as chinese } from '../../i18n/zh/requests.ts';
import { readClockDifference } from './read-clock-difference.ts';

const answer = (seconds: number, direction: string) =>
  `Timestamp 1764336000 is ${seconds} seconds ${direction} the server's time 1764340000; at most 300 are accepted`;

test('a difference in seconds is said in days, hours and minutes, in both languages', () => {
  for (const [seconds, direction, inEnglish, inChinese] of [
    [4000, 'behind', '1 h 7 min behind', '慢了 1 小时 7 分钟'],
    [3600, 'ahead of', '1 h ahead', '快了 1 小时'],
    [301, 'behind', '5 min behind', '慢了 5 分钟'],
    [2 * 86_400 + 60, 'ahead of', '2 d ahead', '快了 2 天'],
    [90_000, 'ahead of', '1 d 1 h ahead', '快了 1 天 1 小时'],
  ] as const) {
    const found = readClockDifference(answer(seconds, direction));
    assert(found !== undefined);
    assert(english.stepOfClock(found).startsWith(`The application’s clock is ${inEnglish}. `));
    assert(chinese.stepOfClock(found).startsWith(`应用的时钟${inChinese}，`));
  }
});

test('a small difference, a timestamp in another unit and any other answer give no difference', () => {
  assert.equal(readClockDifference(answer(65, 'behind')), undefined);
  assert.equal(readClockDifference(answer(1_764_336_000_000, 'ahead of')), undefined);
  assert.equal(readClockDifference('the Timestamp header is missing'), undefined);
});
