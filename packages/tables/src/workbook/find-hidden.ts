import { strFromU8, unzipSync } from 'fflate';
import { relationsOf, relationsPart, workbookPart } from './workbook-parts.ts';
import { attribute, attributesOf } from './xml-attributes.ts';

/** The part of the sheet that a spreadsheet program hides and an import reads. */
export interface Hidden {
  /** The name of the sheet. */
  readonly sheet: string;
  /** Whether the whole sheet is hidden. */
  readonly isWholeSheet: boolean;
  /** The numbers of the rows that are hidden one by one, by hand or by a filter. */
  readonly rows: ReadonlySet<number>;
}

const sheetTag = new RegExp(String.raw`<(?:[\w.-]+:)?sheet((?:${attribute})+)\s*/?>`);
const rowTag = new RegExp(String.raw`<(?:[\w.-]+:)?row((?:${attribute})*)\s*/?>`, 'g');

/**
 * Finds what the first sheet of a workbook hides.
 *
 * @param workbook an archive as `checkWorkbook` returns it
 */
export function findHidden(workbook: Uint8Array): Hidden {
  const sheet = attributesOf(sheetTag.exec(strFromU8(readPart(workbook, workbookPart)))?.[1]);
  const relations = relationsOf(strFromU8(readPart(workbook, relationsPart)));
  const relation = relations.find(({ id }) => id === sheet.id);
  return {
    sheet: sheet.name ?? '',
    isWholeSheet: sheet.state === 'hidden' || sheet.state === 'veryHidden',
    rows: hiddenRows(latin1.decode(readPart(workbook, relation?.path ?? ''))),
  };
}

/** Decodes a large part fastest, and changes nothing in the tags of rows. */
const latin1 = new TextDecoder('latin1');

/** Unpacks a part alone, because others may be large. A missing one is empty. */
function readPart(workbook: Uint8Array, path: string): Uint8Array {
  const [part] = Object.values(unzipSync(workbook, { filter: ({ name }) => name === path }));
  return part ?? new Uint8Array();
}

function hiddenRows(xml: string): Set<number> {
  const hidden = new Set<number>();
  if (!/\shidden\s*=/.test(xml)) return hidden;
  let number = 0;
  for (const [, text] of xml.matchAll(rowTag)) {
    const row = attributesOf(text);
    number = row.r === undefined ? number + 1 : Number(row.r);
    if (row.hidden === '1' || row.hidden === 'true') hidden.add(number);
  }
  return hidden;
}
