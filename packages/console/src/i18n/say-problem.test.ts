import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '@fieldroster/contract/problems';
import { en } from './en.ts';
import { sayProblem } from './say-problem.ts';
import { zh } from './zh.ts';

const problem: Problem = { key: 'missing', values: { field: 'users[3].role_id' } };
const message = 'role_id is missing';

test('a problem is said in Chinese with the names that the pages have, and with its line', () => {
  assert.equal(sayProblem(zh, { message, problem }), '缺少“角色 ID”。');
  assert.equal(sayProblem(zh, { message, problem, line: 3 }), '第 3 行：缺少“角色 ID”。');
});

test('only the message says a problem that is unknown here, or that comes without data, and every one in English', () => {
  assert.equal(sayProblem(en, { message, problem }), undefined);
  assert.equal(sayProblem(zh, { message }), undefined);
  for (const key of ['newer', 'toString'])
    assert.equal(sayProblem(zh, { message, problem: { ...problem, key } as unknown as Problem }), undefined);
});
