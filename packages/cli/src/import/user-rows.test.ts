import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { UserRow } from '@fieldroster/tables';
import { text, workbookOf } from '../../../tables/test/workbook.ts';
import { temporaryFolder } from '../../test/run-command.ts';
import { type ImportSource, readUserRows, surveyUserRows } from './user-rows.ts';

const folder = temporaryFolder();

function source(name: string, content: string | Uint8Array, rules: Partial<ImportSource> = {}): ImportSource {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, mappings: {}, ignoreUnknown: false, storeSeparator: ';', clearEmpty: false, ...rules };
}

async function readAll(from: ImportSource): Promise<UserRow[]> {
  const all: UserRow[] = [];
  for await (const rows of readUserRows(from, undefined)) all.push(...rows);
  assert.equal((await surveyUserRows(from)).rows, all.length);
  return all;
}

const latin1 = Buffer.from('username,real_name\nlatin,Zo\xeb\n', 'latin1');
const unreadable: readonly (readonly [
  label: string,
  name: string,
  content: string | Uint8Array,
  message: RegExp,
])[] = [
  [
    'a text in Latin-1',
    'latin1.csv',
    latin1,
    /line 2: the text is not UTF-8; save the file as 'CSV UTF-8', or .*--encoding windows-1252/,
  ],
  [
    'a quote left open',
    'open.csv',
    'username,real_name\na,"x\nb,"hush-hush"\nc,d',
    /line 2: a quote within a quoted value must be doubled/,
  ],
  [
    'a quote never closed',
    'never.csv',
    'username,real_name\na,x\nb,"hush-hush\nc,d',
    /line 3: a quote is opened here and never closed/,
  ],
  [
    'an unknown column',
    'unknown.csv',
    'username,Wages\na,1\n',
    /line 1: the column 'Wages' is not one of username, .*--map 'Wages=FIELD'/,
  ],
  ['no username', 'nameless.csv', 'Kennung,Mobile\na,1\n', /the column 'Kennung' is not one of/],
  [
    'two columns of one field',
    'twice.csv',
    'username,phone,Mobile\na,1,2\n',
    /the columns 'phone' and 'Mobile' are both phone/,
  ],
  ['nothing', 'nothing.csv', '', /is empty/],
  [
    'a workbook that is not an archive',
    'none.xlsx',
    'username',
    /cannot be read as a workbook: .*; open it in .* save it as \.xlsx, or as CSV with a name that ends in \.csv$/,
  ],
];

describe('a file is refused as a whole, with line and cure, for', () => {
  for (const [label, name, content, message] of unreadable) {
    test(label, async () => {
      const error = await surveyUserRows(source(name, content)).catch((reason: Error) => reason);
      assert(error instanceof Error);
      assert.equal(error.name, 'FileFault');
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /hush/);
    });
  }
});

test('every row has the line on which it begins, with any line ends and quotes', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const lines = [
      '',
      'username,real_name',
      'a,1',
      '',
      'b,"two',
      'lines, ""quoted"""',
      'c,"',
      '',
      '"',
      'd,4',
    ];
    const rows = await readAll(source('lines.csv', `\ufeff${lines.join(end)}`));
    assert.deepEqual(
      rows.map(({ username, line }) => [username, line]),
      [
        ['a', 3],
        ['b', 5],
        ['c', 7],
        ['d', 10],
      ],
    );
    assert.equal(rows[1]?.entry?.real_name, `two${end}lines, "quoted"`);
  }
});

test('rows and characters stay whole wherever the pieces of a file end', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `${'马'.repeat(index % 7)}${index}`);
  const body = names.map((name, index) => `u${index},"${name}",S001;S002`).join('\r\n');
  const rows = await readAll(source('large.csv', `username,name,stores\r\n${body}\r\n`));
  assert.deepEqual(
    rows.map(({ entry }) => entry?.real_name),
    names,
  );
  assert(rows.every(({ line }, index) => line === index + 2));
});

test('a text in UTF-16 is recognized by its byte order mark', async () => {
  const content = Buffer.from('\ufeffusername\tname\nada\t马\n', 'utf16le');
  const [row] = await readAll(source('wide.csv', content));
  assert.deepEqual([row?.username, row?.entry?.real_name], ['ada', '马']);
});

test('a phone number that a spreadsheet mangled is reported, and one that only looks mangled is kept', async () => {
  const phones = ['1.38E+10', '1,4E+11', '3/4/2026', '2026/3/4', '0171/234567', '12-34-56', '+49 171', '1E5'];
  const body = phones.map((phone, index) => `${index}\t${phone}\n`).join('');
  const rows = await readAll(source('phones.tsv', `username\tphone\n${body}`));
  assert.deepEqual(
    rows.map(({ problem }) => /shortened|date/.exec(problem ?? '')?.[0]),
    ['shortened', 'shortened', 'date', 'date', undefined, undefined, undefined, undefined],
  );
});

test('an id in JSON is a number or its digits, never a list', async () => {
  const ids = ['7', '"7"', '9223372036854775807', '[7]', '7.5', 'true'];
  const body = ids.map((id, index) => `{"username":"u${index}","role_id":${id}}\n`).join('');
  const rows = await readAll(source('ids.jsonl', body));
  assert.deepEqual(
    rows.map(({ entry }) => entry?.role_id),
    [7n, 7n, 2n ** 63n - 1n, undefined, undefined, undefined],
  );
  assert.match(rows[3]?.problem ?? '', /role_id must be one whole number, not a list/);
});

test('a line of JSON that is longer than a record of a CSV file may be ends the reading', async () => {
  const long = source('long.jsonl', `{"username":"ada"}\n{"username":"${'b'.repeat(17 * 1024 * 1024)}"}\n`);
  await assert.rejects(readAll(long), {
    name: 'FileFault',
    message: /^line 2: more than 16777216 characters without a line end; a file of JSON lines has one user/,
  });
});

test('an empty cell of a workbook keeps or clears what the same cell of a CSV file does', async () => {
  const csv = 'username,real_name,role_id,store_codes\na,,,\nb,x,7,\n';
  const header = ['username', 'real_name', 'role_id', 'store_codes'].map(text).join('');
  const book = workbookOf([
    [1, header],
    [2, text('a')],
    [3, text('b') + text('x') + text('7') + text('')],
  ]);
  for (const clearEmpty of [false, true]) {
    const [cells, texts] = [
      await readAll(source('empty.xlsx', book, { clearEmpty })),
      await readAll(source('empty.csv', csv, { clearEmpty })),
    ];
    assert.deepEqual(cells, texts);
    assert.deepEqual(
      cells[0]?.entry,
      clearEmpty ? { username: 'a', real_name: '', store_codes: [] } : { username: 'a' },
    );
  }
});

test('the error of a spreadsheet fails its row in a CSV file, where a program saved it as text', async () => {
  const body = 'a,#N/A,,\nb,,#REF!,\nc,,,#NAME?\nd,#1 of the shop,,\n';
  const rows = await readAll(source('errors.csv', `username,real_name,phone,password\n${body}`));
  assert.deepEqual(
    rows.map(({ problem }) => problem?.split(';')[0]),
    ['real_name is the error #N/A', 'phone is the error #REF!', 'password is the error #NAME?', undefined],
  );
});
