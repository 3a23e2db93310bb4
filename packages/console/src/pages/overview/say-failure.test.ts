import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setServerTime } from '../../api/server-clock.ts';
import { overview as english } from '../../i18n/en/overview.ts';
import { overview as chinese } from '../../i18n/zh/overview.ts';
import type { Failing } from './overview-queries.ts';
import { sayFailure } from './say-failure.ts';

const today = (hours: number, minutes: number) => new Date().setHours(hours, minutes, 0, 0);

const failing: Failing = {
  app_id: 'bulk',
  name: 'bulk',
  revoked: false,
  code: 1014,
  calls: 3,
  all_calls: 9,
  first_at: today(15, 0),
  last: { at: today(15, 40), request_id: 'r' },
};

const number = String;
const inEnglish = { overview: english, locale: 'en-GB', meaning: 'wrong signature', number };
const inChinese = { overview: chinese, locale: 'zh-CN', meaning: '签名错误', number };

test('failures that are not counted yet are said without a total', () => {
  const entry = { ...failing, calls: 0, all_calls: 2 };
  assert.equal(sayFailure(entry, [entry], inEnglish), 'bulk failed at 15:40: wrong signature.');
  assert.equal(sayFailure(entry, [entry], inChinese), 'bulk 在 15:40 调用失败：签名错误。');
});

test('failures that are not counted yet add nothing to those that are', () => {
  const other = { ...failing, code: 1016, calls: 0 };
  assert.equal(
    sayFailure(failing, [failing, other], inEnglish),
    '3 of 9 calls of bulk failed in the last 24 hours, between 15:00 and 15:40: wrong signature.',
  );
});

test('failures of which only the hour of the first is known lie between that hour and the last', () => {
  assert.equal(
    sayFailure(failing, [failing], inChinese),
    '最近 24 小时，bulk 的 9 次调用中有 3 次失败（15:00 至 15:40 之间）：签名错误。',
  );
});

test('one failure has one time, and failures of which none was kept have a start', () => {
  const once = { ...failing, calls: 1 };
  assert.match(sayFailure(once, [once], inEnglish), /, at 15:40: wrong signature\.$/);
  const { last: _, ...unkept } = failing;
  assert.match(sayFailure(unkept, [unkept], inEnglish), /, since about 15:00: wrong signature\.$/);
});

test('a failure of today has no day, although the clock of the browser is days behind', () => {
  const threeDaysMs = 3 * 86_400_000;
  setServerTime(Date.now() + threeDaysMs);
  const entry = { ...failing, calls: 0, last: { at: today(15, 40) + threeDaysMs, request_id: 'r' } };
  assert.equal(sayFailure(entry, [entry], inEnglish), 'bulk failed at 15:40: wrong signature.');
  setServerTime(Date.now());
});
