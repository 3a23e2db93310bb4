import { strToU8, Zip, ZipDeflate } from 'fflate';

/** Maximum number of rows that spreadsheet programs read, including the header. */
export const workbookRowsMax = 1_048_576;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook other than its sheet. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${documents}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${documents}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${documents}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
};

const sheetBegin = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
const sheetEnd = '</sheetData></worksheet>';

/** Writes a workbook of one sheet piece by piece. Every cell is text, which a spreadsheet never evaluates. */
export class WorkbookWriter {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 6 });
  readonly #zip: Zip;
  #rows = 0;

  /** @param headings the first row, which stays in view */
  constructor(headings: readonly string[]) {
    this.#zip = new Zip((error, piece) => {
      if (error) throw error;
      this.#pieces.push(piece);
    });
    for (const [name, content] of Object.entries(parts)) {
      const part = new ZipDeflate(name);
      this.#zip.add(part);
      part.push(strToU8(declaration + content), true);
    }
    this.#zip.add(this.#sheet);
    this.#sheet.push(strToU8(sheetBegin));
    this.#write([headings], ' s="1"');
  }

  /** @throws {RangeError} for more rows than spreadsheet programs read */
  add(rows: readonly (readonly string[])[]): void {
    if (this.#rows + rows.length > workbookRowsMax) {
      throw new RangeError(`a workbook has at most ${workbookRowsMax} rows, and there are more; choose CSV`);
    }
    this.#write(rows, '');
  }

  /** Returns the workbook in pieces. */
  end(): readonly Uint8Array<ArrayBuffer>[] {
    this.#sheet.push(strToU8(sheetEnd), true);
    this.#zip.end();
    return this.#pieces;
  }

  #write(rows: readonly (readonly string[])[], style: string): void {
    const texts = rows.map((values) => {
      this.#rows += 1;
      const cells = values.map((value, index) => cell(value, `${columnLetters(index)}${this.#rows}`, style));
      return `<row r="${this.#rows}">${cells.join('')}</row>`;
    });
    this.#sheet.push(strToU8(texts.join('')));
  }
}

function cell(value: string, place: string, style: string): string {
  if (value === '') return '';
  return `<c r="${place}" t="inlineStr"${style}><is><t xml:space="preserve">${escapeText(value)}</t></is></c>`;
}

/** Returns the letters of a column: `A` for 0, `AA` for 26. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes what XML cannot hold as spreadsheet programs do, and what would look like such an escape. */
function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>]/g, (character) => named[character] ?? character)
    .replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, (character) => {
      const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${digits}_`;
    });
}
