import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** Returns a cell with a text. */
export const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

/** Returns a cell with a number; style 1 makes it a date. */
export const number = (digits: string, style = 0) => `<c s="${style}"><v>${digits}</v></c>`;

/** Texts, exact and rounded numbers, a date and an empty row. */
export function workbook(): Uint8Array {
  return workbookOf([
    [1, text('Username') + text('Mobile') + text('Stores')],
    [2, text('book.a') + number('13800138000') + text('S001')],
    [4, number('1001') + number('5') + text('S001;S002')],
    [5, text('book.c') + number('1.3800138000123501E+17') + text('S001')],
    [6, text('book.d') + number('45000', 1) + text('S001')],
  ]);
}

/** Builds a workbook as Excel writes it. */
export function workbookOf(rows: readonly (readonly [row: number, cells: string])[]): Uint8Array {
  const letters = 'ABCDEFGH';
  const sheet = rows.map(([row, cells]) => {
    let column = 0;
    return `<row r="${row}">${cells.replaceAll('<c ', () => `<c r="${letters[column++]}${row}" `)}</row>`;
  });
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packaged = 'http://schemas.openxmlformats.org/package/2006';
  const related = (items: readonly [type: string, target: string][]) =>
    `<Relationships xmlns="${packaged}/relationships">${items.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${relations}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': related([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Staff" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

/** Names the sheet of a workbook, and hides rows of it or all of it, as Excel does. */
export function hideIn(
  book: Uint8Array,
  { name, rows = [], state = 'visible' }: { name: string; rows?: readonly number[]; state?: string },
): Uint8Array {
  const parts = unzipSync(book);
  const change = (part: string, from: RegExp, to: (whole: string) => string) => {
    const xml = strFromU8(parts[part] ?? new Uint8Array());
    parts[part] = strToU8(xml.replaceAll(from, to));
  };
  change('xl/workbook.xml', / name="[^"]*"/g, () => ` name="${name}" state="${state}"`);
  change('xl/worksheets/sheet1.xml', /<row r="\d+"/g, (row) =>
    rows.some((number) => row === `<row r="${number}"`) ? `${row} hidden="1"` : row,
  );
  return zipSync(parts);
}
