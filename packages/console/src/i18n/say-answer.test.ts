import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { explainRefusal } from '../../../server/src/pipeline/explain-refusal.ts';
import { en } from './en.ts';
import { problemsOfCalls, sayAnswer } from './say-answer.ts';
import { sayProblem } from './say-problem.ts';
import { zh } from './zh.ts';

const values = {
  field: 'users[3].role_id',
  value: '"x, y"',
  min: '-9223372036854775808',
  max: '9223372036854775807',
  count: 12_000,
  character: 'U+00A0',
  words: ['active', 'disabled'],
  codes: ['"N-001"', '"N-002"'],
  more: 0,
  id: '9007199254740993',
  parent: '11',
  username: '"mara.okafor"',
  code: '"N-001"',
  bytesPerSecond: 1024,
};

test('the problem of a signed call is read from its English answer, and said with its values', () => {
  for (const key of problemsOfCalls) {
    const problem = { key, values } as unknown as Problem;
    const message = problemInEnglish(problem);
    const said = sayAnswer(zh, message);
    // Two English sentences are alike; their Chinese ones are too.
    assert.equal(said, sayProblem(zh, { message, problem }), message);
  }
});

test('a request that does not verify is explained with its numbers', () => {
  const at = { timestampSeconds: 1_700_000_000, nowSeconds: 1_700_000_100, differenceSeconds: 100 };
  const cases = [
    [
      explainRefusal({ outcome: 'expired', ...at }),
      '时间戳比服务器时间慢 100 秒，最多允许相差 60 秒。请用 NTP 校准应用所在机器的时钟，并在发送前才签名。',
    ],
    [
      explainRefusal({ outcome: 'expired', ...at, timestampSeconds: 1_700_000_000_000 }),
      '时间戳比服务器时间快 1698299999900 秒，最多允许相差 60 秒。看起来是毫秒，应发送秒。',
    ],
    [
      explainRefusal({ outcome: 'unknown-application', appId: 'revoked' }),
      '没有 APPID 为 "rev…" 的应用，或者它已被吊销。',
    ],
    [
      explainRefusal({
        outcome: 'malformed-header',
        header: 'Nonce',
        problem: 'is missing; expected 1 to 36 characters',
      }),
      '缺少请求头 Nonce。',
    ],
  ] as const;
  for (const [{ message }, said] of cases) assert.equal(sayAnswer(zh, message), said);
});

test('an answer without a text here is left to its own words, and every answer in English', () => {
  assert.equal(sayAnswer(zh, 'something new that a later release says'), undefined);
  assert.equal(sayAnswer(zh, 'a longer sentence whose end is required'), undefined);
  assert.equal(sayAnswer(zh, 'this sentence or that one is required'), undefined);
  assert.equal(sayAnswer(en, 'no user has id 7'), undefined);
});
