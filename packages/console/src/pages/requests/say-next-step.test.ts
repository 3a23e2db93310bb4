import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClaimsPurgedError } from '../../../../server/src/database/claims.ts';
import { explainRefusal } from '../../../../server/src/pipeline/failures/explain-refusal.ts';
import { toFailure } from '../../../../server/src/pipeline/failures/to-failure.ts';
import { requests as english } from '../../i18n/en/requests.ts';
import { requests as chinese } from '../../i18n/zh/requests.ts';
import { sayNextStep } from './say-next-step.ts';

const nowSeconds = 1_764_340_000;

const sayOf = (timestampSeconds: number, requests = english) => {
  const differenceSeconds = timestampSeconds - nowSeconds;
  const { message } = explainRefusal({
    outcome: 'expired',
    appId: 'app',
    timestampSeconds,
    nowSeconds,
    differenceSeconds,
  });
  return sayNextStep(requests, { code: 1012, message, cause: '', strings_to_sign: [] }, 'usual');
};

test('a clock that is off is to be set', () => {
  assert.equal(
    sayOf(nowSeconds - 4000),
    'The application’s clock is 1 h 7 min behind. Set the clock of the machine that it runs on.',
  );
  assert.equal(sayOf(nowSeconds - 4000, chinese), '应用的时钟慢了 1 小时 7 分钟，请校准应用所在机器的时钟。');
});

for (const [code, differenceSeconds, clockDifferenceMs] of [
  [1012, -80, 25_000],
  [1503, -300, 300_000],
] as const) {
  test(`the server's clock is to be set first if its database's agrees better with the application's, after ${code}`, () => {
    const { code: answered, message } = explainRefusal(
      {
        outcome: 'expired',
        appId: 'app',
        timestampSeconds: nowSeconds + differenceSeconds,
        nowSeconds,
        differenceSeconds,
      },
      { clockDifferenceMs },
    );
    assert.equal(answered, code);
    const call = { code, message, cause: '', strings_to_sign: [] };
    assert.equal(sayNextStep(english, call, 'usual'), english.stepOfServerClock);
    assert.equal(sayNextStep(chinese, call, 'usual'), chinese.stepOfServerClock);
  });
}

test('local time or another unit in place of seconds is not blamed on the clock', () => {
  for (const [timestampSeconds, wrong] of [
    [nowSeconds + 28_800, 'time zone'],
    [nowSeconds - 3600, 'time zone'],
    [nowSeconds * 1000, 'milliseconds'],
    [nowSeconds * 1_000_000, 'microseconds'],
  ] as const) {
    assert.equal(sayOf(timestampSeconds), english.stepsOfTime[wrong]);
    assert.equal(sayOf(timestampSeconds, chinese), chinese.stepsOfTime[wrong]);
  }
});

test('a request whose record was purged is to be signed again, and no clock is blamed first', () => {
  const purged = new ClaimsPurgedError(nowSeconds + 60, nowSeconds + 90);
  const { message } = toFailure(purged, 'r-1', nowSeconds * 1000);
  const call = { code: 1012, message, cause: '', strings_to_sign: [] };
  assert.equal(sayNextStep(english, call, 'usual'), english.stepAfterPurge);
  assert.equal(sayNextStep(chinese, call, 'usual'), chinese.stepAfterPurge);
});

test('a wrong signature with a known cause is for the developers, and no reason to rotate the secret', () => {
  const line = { name: 'CanonicalizedResource', text: '/user?pin=…' };
  const call = { code: 1014, message: '', cause: 'the query was left out', strings_to_sign: [[line]] };
  assert.equal(sayNextStep(english, call, 'usual'), english.stepWithCause);
  assert.equal(sayNextStep(english, { ...call, cause: '' }, 'usual'), english.stepWithoutValues);
});

test('the recorded cause of an internal error does not replace what to do about it', () => {
  const call = { code: 1500, message: '', cause: 'the disk is full', strings_to_sign: [] };
  assert.equal(sayNextStep(english, call, 'usual'), 'usual');
});
