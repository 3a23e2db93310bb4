import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { en } from '../../i18n/en.ts';
import { zh } from '../../i18n/zh.ts';
import { sayRowProblem } from './say-row-problem.ts';

const role: Problem = { key: 'notWhole', values: { field: 'role_id', value: 'Sales representative' } };

const said = (kind: 'users' | 'stores' | 'orgs' | 'roles', problem: Problem) => {
  const wrong = { message: problemInEnglish(problem), problem };
  return [sayRowProblem(en, kind, wrong), sayRowProblem(zh, kind, wrong)];
};

test('a role or an organization given by its name is told by the name of its column, with where its id is', () => {
  assert.deepEqual(said('users', role), [
    'Role (id) is "Sales representative"; it must be a whole number. Each role’s id is on the page “Roles”.',
    '“角色（ID）”是“Sales representative”，必须是整数。每个角色的 ID 见“角色”页面。',
  ]);
  assert.deepEqual(said('users', { key: 'notWhole', values: { field: 'org_id', value: 'North' } }), [
    'Organization (id) is "North"; it must be a whole number. Each organization’s id is on the page “Organizations”.',
    '“组织（ID）”是“North”，必须是整数。每个组织的 ID 见“组织”页面。',
  ]);
  assert.deepEqual(said('users', { key: 'noOrg', values: { id: '99' } }), [
    'no organization has id 99. Each organization’s id is on the page “Organizations”.',
    '没有 ID 为 99 的组织。每个组织的 ID 见“组织”页面。',
  ]);
});

test('every field of an import is named as its column, never as in a request', () => {
  for (const kind of ['users', 'stores', 'orgs', 'roles'] as const)
    for (const field of Object.keys(en.importTexts.fields[kind]))
      for (const place of ['', `${kind}[3].`]) {
        const [english = '', chinese = ''] = said(kind, {
          key: 'required',
          values: { field: `${place}${field}` },
        });
        assert.doesNotMatch(english, /_|\[/, field);
        assert.match(english, /^[A-Z]/);
        assert.match(chinese, /^缺少“[^_[\]]+”。$/);
      }
  assert.deepEqual(said('users', { key: 'notTexts', values: { field: 'users[0].store_codes[2]' } }), [
    'Stores must contain only texts',
    '“门店”必须是文本的列表。',
  ]);
});

test('what the row of an import is told has no name of a field where the sentence itself has one', () => {
  const [long = ''] = said('users', { key: 'storeCodeTooLong', values: { max: 50, count: 1200 } });
  assert.equal(long, 'Stores has a code of 1,200 characters; a store code has at most 50');
  assert.match(said('users', { key: 'notGender', values: { value: 'x' } })[0] ?? '', /^Gender is "x"; /);
  assert.doesNotMatch(said('users', { key: 'twoPasswords', values: { field: 'users[0]' } })[0] ?? '', /_|\[/);
});

test('a problem that is unknown here, or that comes without data, is said by its message', () => {
  const message = 'something newer';
  assert.equal(sayRowProblem(zh, 'users', { message }), message);
  const newer = { ...role, key: 'newer' } as unknown as Problem;
  assert.equal(sayRowProblem(en, 'users', { message, problem: newer }), message);
});
