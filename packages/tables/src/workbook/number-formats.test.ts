import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { text, workbookOf } from '../../test/workbook.ts';
import { type ColumnField, type SourceRow, UserRows } from '../index.ts';
import { readWorkbookRows } from './workbook-rows.ts';

/** Returns what becomes of a number in a column that has the format: its text, or the problem of its row. */
async function readFormatted(format: string, number: string, field: ColumnField = 'phone') {
  const escaped = format.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const cells = `${text('ada')}<c s="2"><v>${number}</v></c>`;
  const parts = unzipSync(
    workbookOf([
      [1, text('username') + text('x')],
      [2, cells],
    ]),
  );
  const styles = strFromU8(parts['xl/styles.xml'] ?? new Uint8Array())
    .replace('<cellXfs', `<numFmts><numFmt numFmtId="164" formatCode="${escaped}"/></numFmts><cellXfs`)
    .replace('</cellXfs>', '<xf numFmtId="164"/></cellXfs>');
  const [, row] = await readWorkbookRows(zipSync({ ...parts, 'xl/styles.xml': strToU8(styles) }));
  const users = new UserRows({ storeSeparator: ';', clearEmpty: true, mayBeGuarded: true });
  const { entry, problem } = users.next(row as SourceRow, ['username', field]);
  return problem ?? entry?.[field as keyof typeof entry];
}

describe('a number whose format shows it otherwise fails its row', () => {
  for (const format of [
    '"D-"00000',
    '\\D\\-00000',
    '0" Stück"',
    '"a;b<&>"0',
    '000-0000',
    '(000) 000-0000',
    '[<=9999999]###-####;(###) ###-####',
    '[>99999]00000-0000;00000',
    '[$€-407]0',
    '000 000',
    '00,000',
    '00.00',
    '00%',
    '"D-"@',
    '"D-"General',
    '"yes";"no"',
  ])
    test(format, async () => {
      const problem = `phone is a number that the spreadsheet displays differently, in the format ${format}; format the column as text there, and enter the value as it is shown`;
      assert.equal(await readFormatted(format, '42'), problem);
      assert.equal(await readFormatted(format, '1234567890'), problem);
    });
});

test('the format of a role is refused too, and that of a password is never told', async () => {
  assert.match(String(await readFormatted('"R"0', '5', 'role_id')), /^role_id is a number .* format "R"0; /);
  assert.equal(
    await readFormatted('"hush"0', '5', 'password'),
    'password is a number that the spreadsheet displays differently; format the column as text there, and enter the value as it is shown',
  );
});

describe('a number keeps the digits that its format shows', () => {
  for (const [format, number, shown] of [
    ['00000', '42', '00042'],
    ['[$-407]00000', '42', '00042'],
    ['[Red]00000_);"D-"00000', '42', '00042'],
    ['#000', '42', '042'],
    ['0#', '7', '07'],
    ['0', '42', '42'],
    ['General', '42', '42'],
    ['G/通用格式', '42', '42'],
    ['0.00E+00', '1234567', '1234567'],
    ['#,##0.00', '1234567', '1234567'],
    ['# ##0', '1234567', '1234567'],
    ['_-* #,##0_-;-* #,##0_-;_-* "-"??_-;_-@_-', '42', '42'],
    ['[Red][<100]0;[Blue]0', '42', '42'],
    ['@', '42', '42'],
  ] as const)
    test(`${format} of ${number}`, async () => assert.equal(await readFormatted(format, number), shown));
});

test('a date is still refused as a date', async () => {
  for (const format of ['yyyy"年"m"月"d"日"', '"on "d/m/yy', '[h]:mm'])
    assert.match(String(await readFormatted(format, '45000')), /^phone is a date/);
});
