import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ListRecord } from '@fieldroster/server/admin';
import {
  decodeText,
  type ListKind,
  listFieldOfColumn,
  readCsvRows,
  readListRows,
  type SourceRow,
} from '@fieldroster/tables';
import { number, text, workbookOf } from '../../../tables/test/workbook.ts';
import { temporaryFolder } from '../../test/run-command.ts';
import { type ListFile, readListFile } from './read-list-file.ts';

const folder = temporaryFolder();
const path = join(folder, 'list.csv');

async function read(kind: ListKind, bytes: string | Uint8Array, rules: Partial<ListFile> = {}) {
  writeFileSync(path, bytes);
  return collect(readListFile(kind, { ...rules, path }));
}

async function collect(groups: AsyncIterable<readonly ListRecord[]>): Promise<string[][]> {
  const records: string[][] = [];
  for await (const group of groups) for (const { fields } of group) records.push(fields.map(toText));
  return records;
}

/** Throws the fault of a value that cannot be read. */
function toText(value: ListRecord['fields'][number]): string {
  if (typeof value === 'string') return value;
  throw value;
}

/** Returns the values that the console's import makes of a file. */
async function valuesInConsole(kind: ListKind, bytes: Uint8Array, encoding?: string) {
  async function* whole() {
    yield bytes;
  }
  const rows: SourceRow[] = [];
  for await (const piece of readCsvRows(decodeText(whole(), encoding), undefined)) rows.push(...piece);
  const fields = rows[0]?.names.map((name) => listFieldOfColumn(kind, name)) ?? [];
  return readListRows(kind, rows.slice(1), fields).map(({ values = {} }) =>
    Object.entries(values).map(([field, value]) => [field, String(value)]),
  );
}

test('a code that a spreadsheet has shortened or made a date is refused with its line', async () => {
  for (const code of ['1.23457E+11', '1/2/2026'])
    await assert.rejects(read('stores', `code,name\nA,Alpha\n${code},Beta\n`), {
      name: 'ImportFault',
      line: 3,
      column: 'code',
      message: new RegExp(`^is ${code.replace('+', '[+]')}`),
    });
});

/** The characters 望京 in GB18030. */
const gb18030 = Buffer.from([0xcd, 0xfb, 0xbe, 0xa9]);

describe('a file of a list is read as the console reads it', () => {
  const files: readonly (readonly [
    form: string,
    kind: ListKind,
    bytes: string | Buffer,
    encoding?: string,
  ])[] = [
    ['commas', 'stores', 'code,name,address\nA,"Al,pha",Road 1\n'],
    ['semicolons', 'stores', 'code;name;address\nA;Alpha;"Road; 1"\n'],
    ['tabs', 'stores', 'code\tname\nA\tAlpha\n'],
    ['UTF-16 with a mark', 'stores', Buffer.from('\ufeffcode,name\nÄ,漢\n', 'utf16le')],
    [
      'GB18030',
      'stores',
      Buffer.concat([Buffer.from('code,name\nA,'), gb18030, Buffer.from('\n')]),
      'gb18030',
    ],
    ['names with spaces and capitals', 'orgs', 'ID,Name,Parent ID\n2,Team,1\n'],
    ['names in Chinese', 'orgs', '编号,组织名称,上级\n2,Team,1\n'],
    ['a guarded formula', 'stores', "code,name\n'=A,'=SUM(1)\n"],
    ['spaces around a number', 'roles', 'id,name,order\n 7 ,Boss, -2\n'],
    ['roles without ids', 'roles', 'name,description\nBoss,Leads\n'],
    ['a column without a name', 'stores', 'code,,name\nA,x,Alpha\n'],
    ['a row of separators', 'stores', 'code,name\nA,Alpha\n,\n'],
    ['a row of 70 kB', 'stores', `code,name,\nA,Alpha,${'x'.repeat(70_000)}\n`],
  ];
  for (const [form, kind, content, encoding] of files) {
    test(form, async () => {
      const bytes = Buffer.from(content as string);
      const [names = [], ...rows] = await read(kind, bytes, { encoding });
      const values = rows.map((texts) => texts.map((text, index) => [names[index], text]));
      assert.ok(values.length > 0);
      assert.deepEqual(values, await valuesInConsole(kind, bytes, encoding));
    });
  }
});

test('a workbook has the same names of columns and loses the same guards', async () => {
  const workbook = join(folder, 'orgs.xlsx');
  const rows = [text('Org ID') + text('组织') + text('notes'), number('31') + text("'=Book") + text('x')];
  writeFileSync(workbook, workbookOf(rows.map((cells, index) => [index + 1, cells])));
  assert.deepEqual(await collect(readListFile('orgs', { path: workbook, map: { notes: 'nothing' } })), [
    ['id', 'name'],
    ['31', '=Book'],
  ]);
});

test('white space around a code is kept for the rule of the interface', async () => {
  assert.deepEqual(await read('roles', 'id,code\n1, X \n'), [
    ['id', 'code'],
    ['1', ' X '],
  ]);
});

test('a separator may be given', async () => {
  const content = 'code|name\nA|Alpha, Inc.\n';
  assert.deepEqual(await read('stores', content, { delimiter: '|' }), [
    ['code', 'name'],
    ['A', 'Alpha, Inc.'],
  ]);
});

test('a column is mapped or left out on request, and no other is guessed', async () => {
  const content = 'Filiale,name,Store name,region\nA,Alpha,,North\n';
  const map = { Filiale: 'code', 'Store name': 'nothing' };
  const expected = [
    ['code', 'name'],
    ['A', 'Alpha'],
  ];
  assert.deepEqual(await read('stores', content, { map, ignoreUnknown: true }), expected);
  assert.deepEqual(await read('stores', content, { map: { ...map, region: 'nothing' } }), expected);
  for (const [rules, column, message] of [
    [{ map }, 'region', /^is unknown; the columns are code,name,address; name its field with --map 'region=/],
    [
      { map: { Filiale: 'code' }, ignoreUnknown: true },
      'Store name',
      /^is name, and so is the column 'name'; leave one out: --map 'S/,
    ],
    [{ map: { Shop: 'code' } }, 'Shop', /^is not in the header, but --map names it$/],
  ] as const)
    await assert.rejects(read('stores', content, rules), { name: 'ImportFault', line: 1, column, message });
  await assert.rejects(read('stores', 'code,name,code\n'), { column: 'code', message: /; remove one$/ });
});

test('a fault names its line', async () => {
  const latin = Buffer.from('code,name\nA,Alpha\nB,B\xe9ta\n', 'latin1');
  for (const [content, line, message] of [
    ['code,name\nA,"Al\npha"\nB,"open\n', 4, /^a quote is opened here and never closed$/],
    [
      'code,name,address\nA,Alpha\n',
      2,
      /^the row has 2 values, the header 3; the value of 'address' is missing$/,
    ],
    [
      'code,name\nA,Alpha,x\n',
      2,
      /^the row has more values than the header; .*\(3 values, the header has 2\)$/,
    ],
    [latin, 3, /^the text is not UTF-8; .* --encoding windows-1252/],
  ] as const)
    await assert.rejects(read('stores', content), { name: 'ImportFault', line, message });
  assert.equal((await read('stores', latin, { encoding: 'windows-1252' }))[2]?.[1], 'Béta');
});

test('a pipe is read from its first byte, and the bytes read are reported', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const bytes = Buffer.from('\ufeffcode,name\nA,Alpha\n', 'utf16le');
  const seen: number[] = [];
  const reading = collect(readListFile('stores', { path: pipe, onProgress: (read) => seen.push(read) }));
  await writeFile(pipe, bytes);
  assert.deepEqual((await reading)[1], ['A', 'Alpha']);
  assert.equal(seen.at(-1), bytes.length);
});

test('a long file is not kept in memory: its first rows come before its end is read', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `S${index},Store ${index}\n`);
  writeFileSync(path, `code,name\n${rows.join('')}`);
  let bytesRead = 0;
  const records = readListFile('stores', { path, onProgress: (read) => (bytesRead = read) });
  let groups = 0;
  for await (const group of records) {
    groups += 1;
    assert.ok(group.length < 10_000);
    if (groups === 1) assert.ok(bytesRead < 200_000, `${bytesRead} bytes`);
  }
  assert.ok(groups > 10);
});
