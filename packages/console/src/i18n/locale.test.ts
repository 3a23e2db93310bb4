import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localeOf } from './locale.ts';

test("times have the format of the browser's region if it uses the language of the console", () => {
  assert.equal(localeOf('en', ['en-GB', 'en-US']), 'en-GB');
  assert.equal(localeOf('en', ['de-DE', 'en-IE']), 'en-IE');
  assert.equal(localeOf('zh-CN', ['en-GB', 'zh-SG']), 'zh-SG');
  const at = new Date(2026, 0, 31, 16, 5);
  const format = new Intl.DateTimeFormat(localeOf('en', ['en-GB']), { timeStyle: 'short' });
  assert.equal(format.format(at), '16:05');
});

test('other languages, and Chinese in the other script, leave the language of the console', () => {
  assert.equal(localeOf('en', ['de-DE']), 'en');
  assert.equal(localeOf('zh-CN', ['zh-TW', 'zh-Hant-HK']), 'zh-CN');
  assert.equal(localeOf('en', []), 'en');
});

test('the name of a system locale, such as C, is skipped', () => {
  assert.equal(localeOf('en', ['C']), 'en');
  assert.equal(localeOf('zh-CN', ['C']), 'zh-CN');
  assert.equal(localeOf('en', ['en-US@posix', 'en-GB']), 'en-GB');
});
