import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requests as english } from '../../i18n/en/requests.ts';
import { requests as chinese } from '../../i18n/zh/requests.ts';
import { sayNoCalls } from './say-no-calls.ts';

test('a list that only days narrow says that nothing failed in that time', () => {
  for (const days of [
    { from: '2026-01-30' },
    { until: '2026-01-31' },
    { from: '2026-01-30', until: '2026-01-31' },
  ]) {
    assert.equal(sayNoCalls(english, days).title, 'No failed calls in that time');
    assert.equal(sayNoCalls(chinese, days).title, '这段时间没有失败的调用');
  }
});

test('the advice names the filters in use', () => {
  assert.deepEqual(sayNoCalls(english, {}), { title: english.empty, help: english.emptyHelp });
  const byCode = { code: 1101 };
  assert.deepEqual(sayNoCalls(english, byCode), { title: english.noneFound, help: english.noneFoundHelp });
  assert.deepEqual(sayNoCalls(english, { ...byCode, from: '2026-01-30' }), {
    title: english.noneFound,
    help: english.noneFoundThenHelp,
  });
});
