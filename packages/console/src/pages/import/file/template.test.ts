import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTexts as english } from '../../../i18n/en/import.ts';
import { importTexts as chinese } from '../../../i18n/zh/import.ts';
import { importKinds } from '../job/import-job.ts';
import { fieldsOf, guessFields, requiredFieldsOf } from './column-fields.ts';
import { templateCsv, templateHeadings } from './template.ts';

for (const [language, { fields }] of [
  ['English', english],
  ['Chinese', chinese],
] as const) {
  for (const kind of importKinds) {
    test(`the import recognises every heading of the template for ${kind} in ${language}`, () => {
      const headings = templateHeadings(kind, fields[kind]);
      const guessed = Object.values(guessFields(kind, headings));
      assert.equal(new Set(guessed).size, headings.length, headings.join());
      assert(guessed.every((field) => fieldsOf(kind).includes(field)));
      for (const field of requiredFieldsOf(kind)) assert(guessed.includes(field), field);
    });
  }
}

test('a template names most columns in the reader’s language', () => {
  assert.equal(templateCsv('stores', english.fields.stores), '\ufeffCode,Name,Address\n');
  assert.equal(templateCsv('stores', chinese.fields.stores), '\ufeff编号,名称,地址\n');
  const users = templateHeadings('users', english.fields.users);
  assert(users.includes('Name') && users.includes('Role (name or ID)'), users.join());
});

test('a template asks for no column that only a program fills in', () => {
  const headings = templateHeadings('users', english.fields.users);
  const fields = Object.values(guessFields('users', headings));
  for (const field of ['password_hash', 'ext_info', 'avatar']) assert(!fields.includes(field), field);
});
