import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { hideIn, text, workbook, workbookOf } from '../../test/workbook.ts';
import { cellText, readListRows, type SourceRow, UserRows } from '../index.ts';
import { readWorkbookRows } from './workbook-rows.ts';

const header = [1, text('username') + text('real_name') + text('role_id') + text('stores')] as const;
const fields = ['username', 'real_name', 'role_id', 'store_codes'] as const;

/** Returns the problem of the row whose cells follow the username. */
async function problemOf(cells: string, clearEmpty = true): Promise<string | undefined> {
  const [, row] = await readWorkbookRows(workbookOf([header, [2, text('ada') + cells]]));
  const users = new UserRows({ storeSeparator: ';', clearEmpty, mayBeGuarded: true });
  return users.next(row as SourceRow, fields).problem;
}

describe('a cell that has no value fails its row', () => {
  const error = (code: string) => `<c t="e"><v>${code}</v></c>`;
  const cure = 'correct the formula in the spreadsheet, or enter the value itself';
  const unsaved =
    'whose result is not in the file; open the file in a spreadsheet program and save it there, or enter the value itself';

  for (const [label, cells, problem] of [
    ['an error', text('x') + error('#N/A'), `role_id is the error #N/A; ${cure}`],
    [
      'the error of a formula',
      '<c t="e"><f>A1/0</f><v>#DIV/0!</v></c>',
      `real_name is the error #DIV/0!; ${cure}`,
    ],
    [
      'an error in a column of dates',
      '<c s="1" t="e"><v>#REF!</v></c>',
      `real_name is the error #REF!; ${cure}`,
    ],
    ['an error with no code', '<c t="e"/>', `real_name is the error #ERROR!; ${cure}`],
    ['an error that looks like a number', error('5'), `real_name is the error 5; ${cure}`],
    [
      'an error of stores',
      text('x') + text('1') + error('#NAME?'),
      `store_codes is the error #NAME?; ${cure}`,
    ],
    ['an error as text', text('#N/A'), `real_name is the error #N/A; ${cure}`],
    [
      'a formula without a result',
      '<c s="0"><f>A1&amp;"&lt;b"</f><v/></c>',
      `real_name is the formula =A1&"<b", ${unsaved}`,
    ],
    ['a formula without a value', '<c t="str"><f>A1</f></c>', `real_name is the formula =A1, ${unsaved}`],
    [
      'a formula shared with others',
      '<c s="0"><f t="shared" si="0"/></c>',
      `real_name is the formula =, ${unsaved}`,
    ],
    [
      'a very long formula',
      `<c s="0"><f>${'A1+'.repeat(50)}A1</f></c>`,
      `real_name is the formula =${'A1+'.repeat(33)}…, ${unsaved}`,
    ],
  ] as const) {
    test(label, async () => {
      assert.equal(await problemOf(cells), problem);
      assert.equal(await problemOf(cells, false), problem);
    });
  }
});

test('a formula with a result has it, even an empty one', async () => {
  const cells =
    '<c t="str"><f>""</f><v></v></c><c s="0"><f>3+4</f><v>7</v></c><c t="str"><f>B1</f><v>S1</v></c>';
  const rows = await readWorkbookRows(workbookOf([header, [2, text('ada') + cells]]));
  const users = new UserRows({ storeSeparator: ';', clearEmpty: true, mayBeGuarded: true });
  assert.deepEqual(users.next(rows[1] as SourceRow, fields).entry, {
    username: 'ada',
    real_name: '',
    role_id: 7n,
    store_codes: ['S1'],
  });
});

test('a row or column that has only faults is not skipped as empty', async () => {
  const book = workbookOf([header, [2, '<c t="e"><v>#N/A</v></c>']]);
  const rows = await readWorkbookRows(book);
  assert.equal(rows.length, 2);
});

test('faults are found under a prefix and in any spelling of the tags', async () => {
  const sheet = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>
<x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>code</x:t></x:is></x:c><x:c r="B1" t="inlineStr"><x:is><x:t>name</x:t></x:is></x:c></x:row>
<x:row r="2"><x:c r='A2' t = 'e' ><x:v>#N/A</x:v></x:c ><x:c r="B2"><x:f>C1</x:f ><x:v /></x:c></x:row></x:sheetData></x:worksheet>`;
  const parts = { ...unzipSync(workbook()), 'xl/worksheets/sheet1.xml': strToU8(sheet) };
  const [, row] = await readWorkbookRows(zipSync(parts));
  const problems = (['code', 'name'] as const).map(
    (field) =>
      readListRows(
        'stores',
        [row as SourceRow],
        ['code', 'name'].map((name) => (name === field ? name : undefined)),
      )[0]?.problem,
  );
  assert.match(problems[0] ?? '', /^\(1\) code is the error #N\/A;.*; \(2\) name is missing$/);
  assert.match(problems[1] ?? '', /name is the formula =C1,/);
});

test('the value TRUE or FALSE is refused for a text, with what to do', async () => {
  assert.equal(
    await problemOf('<c t="b"><v>1</v></c>'),
    'real_name must be a string, not a boolean; in a spreadsheet, format the column as text, and enter the value again',
  );
});

test('an error in the header is named, because its column would be left out', async () => {
  await assert.rejects(
    readWorkbookRows(workbookOf([[1, `${text('username')}<c t="e"><v>#REF!</v></c>`]])),
    /line 1: a column's name is the error #REF!; enter the name itself/,
  );
});

test('a problem never contains the formula of a password', async () => {
  const rows = await readWorkbookRows(
    workbookOf([header, [2, `${text('ada')}<c s="0"><f>"hush"&amp;A1</f></c>`]]),
  );
  const users = new UserRows({ storeSeparator: ';', clearEmpty: false, mayBeGuarded: true });
  const { problem = '' } = users.next(rows[1] as SourceRow, ['username', 'password']);
  assert.match(problem, /^password is a formula whose result is not in the file; /);
});

describe('the header says what a spreadsheet program hides', () => {
  const book = workbookOf([header, [2, text('ada')], [3, text('grace')], [4, ''], [5, text('mary')]]);

  for (const [label, written, hidden] of [
    ['nothing in a sheet that is shown whole', book, undefined],
    [
      'hidden rows with values, with the name of their sheet',
      hideIn(book, { name: 'R&amp;D &#x201c;25&#8221;', rows: [3, 4, 5] }),
      { sheet: 'R&D “25”', isWholeSheet: false, rows: 2 },
    ],
    ['nothing about a hidden row without values', hideIn(book, { name: 'Staff', rows: [4] }), undefined],
    ['nothing about a hidden header', hideIn(book, { name: 'Staff', rows: [1] }), undefined],
    [
      'a hidden sheet',
      hideIn(book, { name: 'Old', state: 'hidden' }),
      { sheet: 'Old', isWholeSheet: true, rows: 3 },
    ],
    [
      'a sheet that is hidden from the menu too',
      hideIn(book, { name: 'Old', state: 'veryHidden' }),
      { sheet: 'Old', isWholeSheet: true, rows: 3 },
    ],
  ] as const) {
    test(label, async () => {
      const [first, ...rows] = await readWorkbookRows(written);
      assert.deepEqual(first?.hidden, hidden);
      assert.equal(rows.length, 3, 'the rows are read');
    });
  }

  test('hidden rows without numbers, in a sheet with a prefix and an absolute path', async () => {
    const parts = unzipSync(book);
    const change = (name: string, from: RegExp, to: string) => {
      parts[name] = strToU8(strFromU8(parts[name] ?? new Uint8Array()).replaceAll(from, to));
    };
    change('xl/_rels/workbook.xml.rels', /"worksheets\//g, '"/xl/worksheets/');
    const cell = (value: string, index: number) =>
      `<x:c r="A${index + 1}" t="inlineStr"><x:is><x:t>${value}</x:t></x:is></x:c>`;
    const [one, two] = ['username', 'ada'].map(cell);
    parts['xl/worksheets/sheet1.xml'] = strToU8(
      `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row>${one}</x:row><x:row hidden='true'>${two}</x:row></x:sheetData></x:worksheet>`,
    );
    const [first] = await readWorkbookRows(zipSync(parts));
    assert.equal(first?.hidden?.rows, 1);
  });

  test('a relation in a comment that names no part, but what every object has, hides nothing', async () => {
    const parts = unzipSync(book);
    const addBefore = (name: string, place: string, added: string) => {
      const xml = strFromU8(parts[name] ?? new Uint8Array());
      parts[name] = strToU8(xml.replace(place, `${added}${place}`));
    };
    addBefore('xl/workbook.xml', '<sheets>', '<!-- <sheet name="Old" sheetId="9" r:id="rId9"/> -->');
    addBefore(
      'xl/_rels/workbook.xml.rels',
      '</Relationships>',
      '<Relationship Id="rId9" Type="x" Target="/constructor"/>',
    );
    const [first, ...rows] = await readWorkbookRows(zipSync(parts));
    assert.deepEqual([first?.hidden, rows.length], [undefined, 3]);
  });
});

test('a cell that names no place stands after the one before it', async () => {
  const sheet = `<worksheet><sheetData><row>${text('username')}${text('real_name')}</row><row>${text('ada')}${text('Größe')}</row>
    <row r="4"><c r="A4" t="str"><v>bo</v></c><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`;
  const rows = await readWorkbookRows(
    zipSync({ ...unzipSync(workbook()), 'xl/worksheets/sheet1.xml': strToU8(sheet) }),
  );
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 2, 4],
  );
  const users = new UserRows({ storeSeparator: ';', clearEmpty: true, mayBeGuarded: true });
  const [ada, bo] = rows.slice(1).map((row) => users.next(row, ['username', 'real_name']));
  assert.deepEqual(ada?.entry, { username: 'ada', real_name: 'Größe' });
  assert.match(bo?.problem ?? '', /^real_name is the error #N\/A/);
});

test('a number has the leading zeros that its cell shows', async () => {
  const parts = unzipSync(
    workbookOf([
      header,
      [
        2,
        '<c s="2"><v>123</v></c><c s="2"><v>1234567</v></c><c s="3" t="n"><v>7</v></c><c s="2"><f>6*7</f><v>42</v></c>',
      ],
      [
        3,
        '<c s="2"><v>0</v></c><c s="0"><v>123</v></c><c s="2"><v>0.5</v></c><c s="2" t="str"><v>12</v></c>',
      ],
    ]),
  );
  const styles = strFromU8(parts['xl/styles.xml'] ?? new Uint8Array())
    .replace(
      '<cellXfs',
      '<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="0000000000;-0"/></numFmts><cellStyleXfs><xf numFmtId="164"/></cellStyleXfs><cellXfs',
    )
    .replace('</cellXfs>', '<xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>');
  const rows = await readWorkbookRows(zipSync({ ...parts, 'xl/styles.xml': strToU8(styles) }));
  assert.deepEqual(
    rows.slice(1).map(({ values }) => values.map((value) => cellText('phone', value))),
    [
      ['00123', '1234567', '0000000007', '00042'],
      ['00000', '123', '0.5', '12'],
    ],
  );
});

for (const target of ['/__proto__', '/constructor', '../../../etc/passwd'])
  test(`a sheet said to be at ${target} is not found, and the message says what to do`, async () => {
    const parts = unzipSync(workbook());
    const relations = strFromU8(parts['xl/_rels/workbook.xml.rels'] ?? new Uint8Array());
    const moved = strToU8(relations.replace('worksheets/sheet1.xml', target));
    await assert.rejects(readWorkbookRows(zipSync({ ...parts, 'xl/_rels/workbook.xml.rels': moved })), {
      name: 'FileFault',
      message: /^cannot be read as a workbook: .*; open it in a spreadsheet program and save it as \.xlsx/,
    });
  });
