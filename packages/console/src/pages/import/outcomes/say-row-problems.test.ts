import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { en } from '../../../i18n/en.ts';
import { zh } from '../../../i18n/zh.ts';
import { sayRowProblems } from './say-row-problems.ts';

const role: Problem = { key: 'noRoleNamed', values: { value: 'Boss' } };

const said = (kind: 'users' | 'stores' | 'orgs' | 'roles', problem: Problem) => {
  const wrong = { message: problemInEnglish(problem), problems: [problem] };
  return [en, zh].map((texts) => sayRowProblems(texts, kind, wrong).join());
};

test('the problem of a missing role or organization says which page lists the IDs', () => {
  assert.deepEqual(said('users', role), [
    'No role is called "Boss"; enter the name of a role, or its ID. Each role’s ID is on the page “Roles”.',
    '没有名为“Boss”的角色。请填写角色的名称或 ID。每个角色的 ID 见“角色”页面。',
  ]);
  assert.deepEqual(said('users', { key: 'noOrgNamed', values: { value: 'South' } }), [
    'No organization is called "South"; enter the name of an organization, its path, such as Company / North, or its ID. Each organization’s ID is on the page “Organizations”.',
    '没有名为“South”的组织。请填写组织的名称、路径（如“总公司 / 华北”）或 ID。每个组织的 ID 见“组织”页面。',
  ]);
  const found = [
    { id: '11', path: 'Company / North' },
    { id: '23', path: 'Export / North' },
  ];
  assert.deepEqual(said('users', { key: 'severalOrgs', values: { value: 'North', count: 1002, found } }), [
    '1,002 organizations are called "North"; enter the ID or the path of one: 11 (Company / North), 23 (Export / North) and 1,000 more',
    '有 1,002 个组织名为“North”，请填写其中一个的 ID 或路径：11（Company / North）、23（Export / North），另有 1,000 个。',
  ]);
  assert.deepEqual(said('users', { key: 'severalRoles', values: { value: 'Auditor', count: 2, found } }), [
    '2 roles are called "Auditor"; enter the ID of one: 11, 23',
    '有 2 个角色名为“Auditor”，请填写其中一个的 ID：11、23。',
  ]);
  assert.deepEqual(said('users', { key: 'otherRole', values: { id: '7', value: 'Auditor', found } }), [
    'The ID of the role is 7, but "Auditor" is the name of 11, 23; correct the ID or the name, or leave one of them empty',
    '角色的 ID 是 7，但名称“Auditor”对应的 ID 是 11、23。请更正 ID 或名称，或清空其中一项。',
  ]);
  assert.deepEqual(said('users', { key: 'otherOrg', values: { id: '7', value: 'North', found } }), [
    'The ID of the organization is 7, but "North" is the name of 11 (Company / North), 23 (Export / North); correct the ID or the name, or leave one of them empty',
    '组织的 ID 是 7，但名称“North”对应的 ID 是 11（Company / North）、23（Export / North）。请更正 ID 或名称，或清空其中一项。',
  ]);
  assert.deepEqual(said('users', { key: 'notWhole', values: { field: 'role_id', value: '7.5' } }), [
    'Role is "7.5"; it must be a whole number. Each role’s ID is on the page “Roles”.',
    '“角色”是“7.5”，必须是整数。每个角色的 ID 见“角色”页面。',
  ]);
  assert.deepEqual(said('users', { key: 'noOrg', values: { id: '99' } }), [
    'No organization has ID 99. Each organization’s ID is on the page “Organizations”.',
    '没有 ID 为 99 的组织。每个组织的 ID 见“组织”页面。',
  ]);
});

test('a problem names its field as the import labels the column, never as the request names it', () => {
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
    'Stores must contain only text',
    '“门店”必须是文本列表。',
  ]);
});

test('every problem begins with a capital letter, whether its text begins with a field or not', () => {
  for (const [kind, problem, english] of [
    ['users', { key: 'missing', values: { field: 'username' } }, 'Username is missing'],
    ['users', { key: 'usernameTaken', values: { username: 'mara' } }, 'The username mara is taken'],
    [
      'stores',
      { key: 'entryRepeated', values: { line: 2 } },
      'Line 2 already has this entry; remove one of the two lines',
    ],
    [
      'orgs',
      { key: 'orgInItself', values: { parent: '2', id: '1' } },
      'Organization 2 is below organization 1',
    ],
  ] as const) {
    const [first = ''] = said(kind, problem)[0]?.split(',') ?? [];
    assert.equal(first, english);
  }
});

test('problems whose text names a field itself use the label of the column too', () => {
  const [long = ''] = said('users', { key: 'storeCodeTooLong', values: { max: 50, count: 1200 } });
  assert.equal(long, 'Stores has a code of 1,200 characters; a store code has at most 50');
  assert.match(said('users', { key: 'notGender', values: { value: 'x' } })[0] ?? '', /^Gender is "x"; /);
  assert.doesNotMatch(said('users', { key: 'twoPasswords', values: { field: 'users[0]' } })[0] ?? '', /_|\[/);
});

test('a problem that this console does not know, or that comes without data, is shown as its English message', () => {
  const message = 'something newer';
  assert.deepEqual(sayRowProblems(zh, 'users', { message }), [message]);
  const newer = { ...role, key: 'newer' } as unknown as Problem;
  assert.deepEqual(sayRowProblems(en, 'users', { message, problems: [role, newer] }), [message]);
});

test('an unknown store whose code looks like several says what separates codes', () => {
  const unknown = (...codes: string[]): Problem => ({ key: 'noStores', values: { codes, more: 0 } });
  assert.deepEqual(said('users', unknown('"N-001,N-002"')), [
    'The store does not exist: "N-001,N-002". If these are several codes, separate them with “;”.',
    '没有以下门店："N-001,N-002"。如果这是多个编号，请用“;”分隔。',
  ]);
  for (const code of [
    '"N-001、N-002"',
    '"N-001 | N-002"',
    '"N-001，N-002"',
    '"N-001；N-002"',
    '"N-001/N-002"',
    '"N-001\\nN-002"',
  ])
    assert.match(said('users', unknown('"S-001"', code))[0] ?? '', / If these are several codes, /);
  assert.deepEqual(said('users', unknown('"N 001"', '"N-999"')), [
    'The store does not exist: "N 001", "N-999"',
    '没有以下门店："N 001"、"N-999"。',
  ]);
});

test('every mistake of a row is said in both languages, and so is how many follow', () => {
  const problems: readonly Problem[] = [
    { key: 'endsWith', values: { field: 'username', character: 'U+0020' } },
    { key: 'tooLong', values: { field: 'phone', max: 255, count: 300 } },
    { key: 'moreMistakes', values: { count: 2 } },
  ];
  const message = 'in English';
  assert.deepEqual(sayRowProblems(en, 'users', { message, problems }), [
    'Username must be free of control characters, and of white space at either end; it ends with U+0020',
    'Phone must be at most 255 characters; it has 300',
    'And 2 more mistakes in this row',
  ]);
  assert.deepEqual(sayRowProblems(zh, 'users', { message, problems }), [
    '“用户名”以 U+0020 结尾，首尾不能有空白字符，也不能含有控制字符。',
    '“电话”最多 255 个字符，现有 300 个。',
    '此行还有 2 处错误。',
  ]);
  assert.deepEqual(sayRowProblems(en, 'users', { message: '' }), []);
});
