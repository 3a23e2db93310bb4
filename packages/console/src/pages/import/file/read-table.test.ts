import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileFault, fieldOfColumn, listFieldOfColumn } from '@fieldroster/tables';
import { workbookOf } from '../../../../../tables/test/workbook.ts';
import { en } from '../../../i18n/en.ts';
import { zh } from '../../../i18n/zh.ts';
import { guessEncoding, readTable } from './read-table.ts';

test('columns with the same name get a number that no other column has', async () => {
  const file = new Blob(['Name,Name,Name (2),,Name,\na,b,c,d,e,f']);
  const { names } = await readTable(file, 'names.csv', 'utf-8');
  assert.deepEqual(names, ['Name', 'Name (3)', 'Name (2)', '', 'Name (4)', '']);
});

test('a file of UTF-16 is recognized, with and without a mark, and read by its line of sep=', async () => {
  for (const mark of ['\ufeff', '']) {
    const file = new Blob([Buffer.from(`${mark}sep=|\r\nusername|phone\r\nada|1\r\n`, 'utf16le')]);
    const encoding = await guessEncoding(file);
    assert.equal(encoding, 'utf-16le');
    const { names, rows } = await readTable(file, 'users.csv', encoding);
    assert.deepEqual(
      [names, rows[0]?.values],
      [
        ['username', 'phone'],
        ['ada', '1'],
      ],
    );
  }
  assert.equal(await guessEncoding(new Blob(['username,phone\n'])), 'utf-8');
});

test('a workbook with an empty first sheet and an empty text are refused with different problems', async () => {
  const book = new Blob([Buffer.from(workbookOf([]))]);
  await assert.rejects(readTable(book, 'cover.xlsx', 'utf-8'), (error) => {
    assert(error instanceof FileFault);
    assert.equal(error.problem?.key, 'emptySheet');
    return true;
  });
  await assert.rejects(readTable(new Blob(['']), 'empty.csv', 'utf-8'), /is empty/);
});

test('a column with the label that the console gives a field becomes that field, in both languages', () => {
  for (const { importTexts } of [en, zh])
    for (const field of [
      'username',
      'real_name',
      'phone',
      'password',
      'role_id',
      'org_id',
      'store_codes',
    ] as const)
      assert.equal(fieldOfColumn(importTexts.fields.users[field]), field);
});

test('a column of a list with the label that the console gives a field becomes that field, in both languages', () => {
  for (const { importTexts } of [en, zh])
    for (const kind of ['stores', 'orgs', 'roles'] as const)
      for (const [field, label] of Object.entries(importTexts.fields[kind]))
        assert.equal(listFieldOfColumn(kind, label), field, label);
});
