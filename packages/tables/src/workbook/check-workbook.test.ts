import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { claimSize } from '../../test/claim-size.ts';
import { workbook } from '../../test/workbook.ts';
import { FileFault } from '../file-fault.ts';
import { checkWorkbook } from './check-workbook.ts';

/** Returns the sample workbook with other rows or additional parts. */
function write(rows: string, more: Zippable = {}): Uint8Array {
  const sheet = strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  return zipSync({ ...unzipSync(workbook()), 'xl/worksheets/sheet1.xml': sheet, ...more });
}

test('only the parts of a workbook that the reader needs are opened', () => {
  const archive = write('<row r="1"><c r="A1"/></row>', {
    'xl/media/image1.png': strToU8('png'),
    'docProps/app.xml': strToU8('<Properties/>'),
  });
  const names = Object.keys(unzipSync(checkWorkbook(archive)));
  assert.deepEqual(names.sort(), [
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
});

for (const [label, part, xml] of [
  ['a query of Excel', 'customXml/item1.xml', `<DataMashup>${'A'.repeat(2 ** 21)}</DataMashup>`],
  [
    'the settings of an add-in',
    'xl/webextensions/webextension1.xml',
    `<property value="${'A'.repeat(2 ** 21)}"/>`,
  ],
] as const)
  test(`a long text beside the sheets, such as ${label}, is no fault`, () => {
    checkWorkbook(write('', { [part]: strToU8(xml) }));
  });

for (const [label, mark] of [
  ['with a byte order mark', '\ufeff'],
  ['without one', ''],
] as const)
  test(`a part in UTF-16 ${label} is refused by its name`, () => {
    for (const part of ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels', 'xl/worksheets/sheet1.xml']) {
      const littleEndian = Buffer.from(`${mark}<x/>`, 'utf16le');
      for (const content of [littleEndian, Buffer.from(littleEndian).swap16()]) {
        assert.throws(
          () => checkWorkbook(write('', { [part]: content })),
          (error) =>
            error instanceof FileFault && error.message.startsWith(`${part} is encoded in UTF-16, and must`),
        );
      }
    }
  });

const tooWide = /^xl\/worksheets\/sheet1\.xml has at least \d+ rows of \d+ columns; at most 5000000 cells/;
const odd = /^xl\/worksheets\/sheet1\.xml is not written as spreadsheet programs write it/;

for (const [label, rows, message] of [
  [
    'a cell far down in the last column',
    '<row r="1"><c r="A1"/></row><row r="400"><c r="XFD400"/></row>',
    tooWide,
  ],
  [
    'one wide row and many narrow ones',
    `<row r="1"><c r="XFD1"/></row>${'<row><c/></row>'.repeat(400)}`,
    tooWide,
  ],
  ['a row far down', '<row r="9999999"/>', tooWide],
  ['cells without places', `<row>${'<c/>'.repeat(3_000)}</row>${'<row/>'.repeat(3_000)}`, tooWide],
  ['a cell without its row', '<c r="ZZZ999"/>', tooWide],
  ['a prefix before the names', '<x:row r="1"><x:c r="ZZZ999"/></x:row>', tooWide],
  ['single quotes and spaces', `<c  s='1'\n r = 'ZZZ999' />`, tooWide],
  ['a second place in one cell', '<c r="A1" r="ZZZ999"/>', tooWide],
  ['a ">" in an attribute', '<c x=">" r="ZZZ999"/>', tooWide],
  ['a row number of many digits', '<row r="999999999999"/>', odd],
  ['a place that is written with a character reference', '<c r="A&#49;"/>', odd],
  ['a column of four letters', '<c r="AAAA1"/>', odd],
  ['an attribute that is not closed', '<c r="A1/>', odd],
  ['a row with 300,000 attributes', `<row${' a="1"'.repeat(300_000)}/>`, odd],
  ['a value with an attribute of 2 MB', `<c r="A1"><v a="${' '.repeat(2_000_000)}"/></c>`, odd],
  ['tags that are not closed', '<a'.repeat(300_000), odd],
  ['tags that are closed only in a value', '<a b=">'.repeat(150_000), odd],
  ['a tag without a name', '<row r="1"><>text</></row>', odd],
  ['2 MB of text in a cell', `<c r="A1"><v>${'1'.repeat(2_000_000)}</v></c>`, odd],
] as const) {
  test(`${label} is refused before the reader sees it`, () => {
    assert.throws(
      () => checkWorkbook(write(rows)),
      (error: Error) => {
        assert(error instanceof FileFault);
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('a sheet anywhere in the archive is refused for a long tag before the reader sees it', () => {
  const parts = unzipSync(workbook());
  const relations = strFromU8(parts['xl/_rels/workbook.xml.rels'] ?? new Uint8Array());
  const moved = relations.replace('"worksheets/sheet1.xml"', '"/customXml/员工.xml"');
  const sheet = `<worksheet><sheetData><row${' a="1"'.repeat(300_000)}/></sheetData></worksheet>`;
  const more = { 'xl/_rels/workbook.xml.rels': strToU8(moved), 'customXml/员工.xml': strToU8(sheet) };
  assert.throws(() => checkWorkbook(zipSync({ ...parts, ...more })), {
    message: /^customXml\/员工\.xml is not written as spreadsheet programs write it/,
  });
});

test('more than 1000 relations are refused', () => {
  const parts = unzipSync(workbook());
  const name = 'xl/_rels/workbook.xml.rels';
  const relations = strFromU8(parts[name] ?? new Uint8Array());
  const added = (count: number) => {
    const more = Array.from(
      { length: count },
      (_, index) => `<Relationship Id="m${index}" Target="${index}"/>`,
    );
    const changed = relations.replace('</Relationships>', `${more.join('')}</Relationships>`);
    return zipSync({ ...parts, [name]: strToU8(changed) });
  };
  checkWorkbook(added(998));
  assert.throws(() => checkWorkbook(added(999)), { problem: { key: 'manyParts', values: { max: 1000 } } });
});

test('more than 64 MiB unpacked are refused, in one part or in several', () => {
  const half: Zippable[string] = [new Uint8Array(33 * 1024 * 1024), { level: 1 }];
  const message = {
    message: 'has at least 67 MiB unpacked; at most 64 are read: save the sheet as CSV or split it',
  };
  assert.throws(() => checkWorkbook(write('', { 'a.xml': half, 'b.xml': half })), message);
});

test('more than 64 MiB unpacked are refused although the archive says that they are 100 bytes', () => {
  const name = 'xl/sharedStrings.xml';
  const large: Zippable[string] = [new Uint8Array(72 * 1024 * 1024), { level: 1 }];
  assert.throws(() => checkWorkbook(claimSize(write('', { [name]: large }), name, 100)), {
    message:
      /^cannot be read as a workbook: xl\/sharedStrings\.xml has another content than the archive says;/,
  });
});

test('a sheet that ends before its last row, as the archive says, is refused and loses no row', () => {
  const name = 'xl/worksheets/sheet1.xml';
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const kept = `<worksheet><sheetData>${rows}`.length;
  const archive = write(`${rows}<row r="2"><c r="A2"><v>2</v></c></row>`);
  assert.throws(
    () => checkWorkbook(claimSize(archive, name, kept)),
    /has another content than the archive says/,
  );
});

test('a part that nobody reads may be packed in any way', () => {
  const archive = Buffer.from(write('', { 'docProps/app.xml': strToU8('<Properties/>') }));
  const bzip2 = 12;
  const entry = archive.lastIndexOf('docProps/app.xml') - 46;
  archive.writeUInt16LE(bzip2, entry + 10);
  assert.doesNotThrow(() => checkWorkbook(archive));
});

test('an archive whose directory is elsewhere is refused', () => {
  const moved = Buffer.from(workbook());
  moved.writeUInt32LE(moved.length, moved.length - 6);
  assert.throws(() => checkWorkbook(moved), {
    message: /^cannot be read as a workbook: it is cut off or damaged; open it in a spreadsheet program/,
  });
});

test('more than a thousand parts are refused, whatever they are', () => {
  const parts = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}.png`, strToU8('')]));
  assert.throws(() => checkWorkbook(write('', parts)), {
    message: 'has more than 1000 parts or relations: save the sheet in a workbook of its own, or as CSV',
  });
});

for (const [label, declaration] of [
  ['a file of this machine', '<!DOCTYPE sst [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
  ['a text that grows', '<!DOCTYPE sst [<!ENTITY y "yy"><!ENTITY x "&y;&y;">]>'],
]) {
  test(`a workbook whose texts name ${label} by an entity is refused`, () => {
    const texts = strToU8(`<?xml version="1.0"?>${declaration}<sst><si><t>&x;</t></si></sst>`);
    assert.throws(() => checkWorkbook(write('', { 'xl/sharedStrings.xml': texts })), {
      message: /^xl\/sharedStrings\.xml is not written as spreadsheet programs write it/,
    });
  });
}

test('a file that is not an archive is refused', () => {
  assert.throws(() => checkWorkbook(strToU8('username\nada\n')), {
    message: /^cannot be read as a workbook: /,
  });
});

test('a cell without a place gets the next one, past Z and from any prefix', () => {
  const rows = `<x:row><x:c r="Y1"/><x:c/>\n<x:c s='1'/><c><v>1</v></c></x:row><row r="5"><c/><c r="C5"/><c/></row><row><c/></row>`;
  const parts = unzipSync(checkWorkbook(write(rows)));
  const places = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array()).match(/c r="\w+"/g);
  assert.deepEqual(
    places?.map((place) => place.slice(5, -1)),
    ['Y1', 'Z1', 'AA1', 'AB1', 'A5', 'C5', 'D5', 'A6'],
  );
});
