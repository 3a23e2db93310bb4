import assert from 'node:assert/strict';
import { test } from 'node:test';
import { general as english } from '../../../i18n/en/general.ts';
import { importTexts as importInEnglish } from '../../../i18n/en/import.ts';
import { general as chinese } from '../../../i18n/zh/general.ts';
import { importTexts as importInChinese } from '../../../i18n/zh/import.ts';
import { sayPlan } from './say-plan.ts';

const created = { outcome: 'created' } as const;
const unchanged = { outcome: 'unchanged' } as const;
const failed = { outcome: 'failed' } as const;

const say = (...rows: Parameters<typeof sayPlan>[1]) => [
  sayPlan(importInEnglish, rows).join(english.sentenceGap),
  sayPlan(importInChinese, rows).join(chinese.sentenceGap),
];

test('a file that matches the directory is said to do so only if every row is valid', () => {
  assert.deepEqual(say(unchanged), [
    'The directory already matches the file. There is nothing to import.',
    '目录与文件已经一致，无需导入。',
  ]);
  assert.deepEqual(say(unchanged, failed), [
    'No row would change anything. 1 invalid row will be skipped.',
    '没有需要变更的内容。1 行有误，不会导入。',
  ]);
});

test('a file with invalid rows only, or with something to import, is not said to change nothing', () => {
  assert.deepEqual(say(failed), ['1 invalid row will be skipped.', '1 行有误，不会导入。']);
  assert.deepEqual(say(created, unchanged), ['', '']);
});
