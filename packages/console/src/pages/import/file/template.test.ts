import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTexts as english } from '../../../i18n/en/import.ts';
import { importTexts as chinese } from '../../../i18n/zh/import.ts';
import { importKinds } from '../job/import-job.ts';
import { fieldsOf, guessFields, requiredFieldsOf } from './column-fields.ts';
import { templateCsv, templateHeadings } from './template.ts';

const languages = [
  {
    language: 'English',
    fields: english.fields,
    expected: {
      users:
        'Username,Name,Nickname,Gender,Email,Phone,Department,Code,Password,Role (name or ID),Organization (name or ID),"Stores (codes, separated by ;)"',
      stores: 'Code,Name,Address',
      orgs: 'ID,Name,Parent (ID)',
      roles: 'ID,Name,Code,Description,System (ID),Position',
    },
  },
  {
    language: 'Chinese',
    fields: chinese.fields,
    expected: {
      users:
        '用户名,姓名,昵称,性别,邮箱,电话,部门,编号,密码,角色（名称或 ID）,组织（名称或 ID）,"门店（编号，用“;”分隔）"',
      stores: '编号,名称,地址',
      orgs: 'ID,名称,上级组织（ID）',
      roles: 'ID,名称,编码,说明,系统（ID）,排序',
    },
  },
] as const;

for (const { language, fields, expected } of languages) {
  for (const kind of importKinds) {
    test(`the template for ${kind} in ${language} has its headings in that language`, () => {
      assert.equal(templateCsv(kind, fields[kind]), `\ufeff${expected[kind]}\n`);
    });

    test(`the import recognises every heading of the template for ${kind} in ${language}`, () => {
      const headings = templateHeadings(kind, fields[kind]);
      const guessed = Object.values(guessFields(kind, headings));
      assert.equal(new Set(guessed).size, headings.length, headings.join());
      assert(guessed.every((field) => fieldsOf(kind).includes(field)));
      for (const field of requiredFieldsOf(kind)) assert(guessed.includes(field), field);
    });
  }
}

test('a template asks for no column that only a program fills in', () => {
  const headings = templateHeadings('users', english.fields.users);
  const fields = Object.values(guessFields('users', headings));
  for (const field of ['password_hash', 'ext_info', 'avatar']) assert(!fields.includes(field), field);
});
