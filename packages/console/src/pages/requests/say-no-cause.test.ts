import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutShortSearch } from '@fieldroster/contract/problems';
import { requests as english } from '../../i18n/en/requests.ts';
import { sayAnswer } from '../../i18n/say-answer.ts';
import { zh } from '../../i18n/zh.ts';
import { sayNoCause } from './say-no-cause.ts';

const message = 'the signature does not match';
const line = (name: string) => ({ name, text: 'x' });
const strings_to_sign = [[line('Method'), line('Content-MD5')]];

for (const why of ['others', 'long'] as const) {
  test(`a search that was cut short is no proof that there is no known mistake: ${why}`, () => {
    const call = { message: `${message}; ${cutShortSearch[why]}`, strings_to_sign };
    assert.equal(sayNoCause(english, call), english.searchCutShort[why]);
    assert.equal(sayNoCause(zh.requests, call), zh.requests.searchCutShort[why]);
    assert.match(
      sayAnswer({ language: 'zh', texts: zh }, call.message) ?? '',
      /^签名与服务器计算的不一致。.+时/,
    );
  });
}

test('a whole search that found nothing leaves the body or the secret', () => {
  assert.equal(sayNoCause(english, { message, strings_to_sign }), english.noCauseWithBody);
  assert.equal(sayNoCause(english, { message, strings_to_sign: [[line('Method')]] }), english.noCause);
});
