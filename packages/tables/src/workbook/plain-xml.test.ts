import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { hideIn, text, workbookOf } from '../../test/workbook.ts';
import { isPlainXml, toPlainXml } from './plain-xml.ts';
import { readWorkbookRows } from './workbook-rows.ts';

const book = workbookOf([
  [1, text('username') + text('real_name')],
  [2, text('ada') + text('Ada')],
  [3, text('mary') + text('Mary')],
]);

const sheetPart = 'xl/worksheets/sheet1.xml';

function withAdded(name: string, place: string, added: string): Uint8Array {
  const parts = unzipSync(book);
  const xml = strFromU8(parts[name] ?? new Uint8Array());
  assert(xml.includes(place));
  parts[name] = strToU8(xml.replace(place, () => added));
  return zipSync(parts);
}

describe('what a comment, a processing instruction or a CDATA section contains is no tag', () => {
  for (const [begin, end] of [
    ['<!--', '-->'],
    ['<?note ', '?>'],
  ]) {
    for (const [label, name, place, tags] of [
      ['a hidden row', sheetPart, '<sheetData>', '<row r="2" hidden="1"/>'],
      ['a row far down', sheetPart, '<sheetData>', '<row r="9999999"/>'],
      ['a cell with an error', sheetPart, '<row r="2">', '<c r="A2" t="e"><v>#N/A</v></c>'],
      ['the end of a cell', sheetPart, '<t>ada', '<t></c>'],
      [
        'a sheet',
        'xl/workbook.xml',
        '<sheets>',
        '<sheet name="Old" state="hidden" sheetId="9" r:id="rId1"/>',
      ],
      ['a relation', 'xl/_rels/workbook.xml.rels', '<Relationship ', '<Relationship Id="rId1" Target="x"/>'],
      ['a document type', sheetPart, '<sheetData>', '<!DOCTYPE x>'],
    ] as const) {
      test(`${label} between ${begin} and ${end}`, async () => {
        const inner = `${begin}${tags}${end}`;
        const added = place.startsWith('<t>') ? `<t>${inner}ada` : `${place}${inner}`;
        const written = place === '<Relationship ' ? `${inner}${place}` : added;
        assert.deepEqual(
          await readWorkbookRows(withAdded(name, place, written)),
          await readWorkbookRows(book),
        );
      });
    }
  }

  test('tags in a CDATA section are text', async () => {
    const written = withAdded(sheetPart, '<t>Ada', '<t><![CDATA[<row r="2" hidden="1"/> & ]]>Ada');
    const [header, first] = await readWorkbookRows(written);
    assert.equal(header?.hidden, undefined);
    assert.deepEqual(first?.values[1], '<row r="2" hidden="1"/> & Ada');
  });

  test('a row that is hidden beside a comment is still found', async () => {
    const parts = unzipSync(hideIn(book, { name: 'Staff', rows: [3] }));
    const xml = strFromU8(parts[sheetPart] ?? new Uint8Array());
    parts[sheetPart] = strToU8(`<?xml version="1.0"?><!-- 员工 -->${xml}`);
    assert.equal((await readWorkbookRows(zipSync(parts)))[0]?.hidden?.rows, 1);
  });
});

test('a comment that is not closed, or that begins only where another one ended, is refused', async () => {
  for (const inner of ['<!-- ', '<!-->', '<?note', '<![CDATA[', '<!x>', '<<!-- -->!--  -->', '<<??>?x ?>']) {
    const written = withAdded(sheetPart, '<sheetData>', `${inner}<sheetData>`);
    await assert.rejects(readWorkbookRows(written), /is not written as spreadsheet programs write it/, inner);
  }
});

test('a document with nothing but a declaration, elements and text is plain', () => {
  for (const xml of ['', '<a/>', '<?xml version="1.0"?>\n<a>b</a>']) assert(isPlainXml(xml), xml);
  for (const xml of [
    '<?xml <a/> ?>',
    '<?xml version="1.0"',
    '<?xml ?><?b?>',
    '<?note?><a/>',
    '<a><!-- --></a>',
  ])
    assert(!isPlainXml(xml), xml);
  assert.equal(
    toPlainXml('<?xml ?>\n<a>b<!-- <c/> -->d<![CDATA[<&>]]></a><?e?>'),
    '\n<a>bd&lt;&amp;&gt;</a>',
  );
});
