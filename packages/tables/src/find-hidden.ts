import { strFromU8, unzipSync } from 'fflate';

/** What a spreadsheet program hides of the sheet that is read. */
export interface Hidden {
  /** The name of the sheet. */
  readonly sheet: string;
  /** Whether the whole sheet is hidden. */
  readonly isWholeSheet: boolean;
  /** The numbers of the rows that are hidden one by one, by hand or by a filter. */
  readonly rows: ReadonlySet<number>;
}

const attribute = String.raw`\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const sheetTag = new RegExp(String.raw`<(?:[\w.-]+:)?sheet((?:${attribute})+)\s*/?>`);
const relationTag = new RegExp(String.raw`<(?:[\w.-]+:)?Relationship((?:${attribute})+)\s*/?>`, 'g');
const rowTag = new RegExp(String.raw`<(?:[\w.-]+:)?row((?:${attribute})*)\s*/?>`, 'g');

/**
 * Finds what the first sheet of a workbook hides.
 *
 * @param workbook an archive as `checkWorkbook` returns it
 */
export function findHidden(workbook: Uint8Array): Hidden {
  const sheet = attributesOf(sheetTag.exec(strFromU8(readPart(workbook, 'xl/workbook.xml')))?.[1]);
  const relations = [...strFromU8(readPart(workbook, 'xl/_rels/workbook.xml.rels')).matchAll(relationTag)];
  const relation = relations.map(([, text]) => attributesOf(text)).find(({ Id }) => Id === sheet.id);
  return {
    sheet: sheet.name ?? '',
    isWholeSheet: sheet.state === 'hidden' || sheet.state === 'veryHidden',
    rows: hiddenRows(latin1.decode(readPart(workbook, pathOf(relation?.Target ?? '')))),
  };
}

/** Decodes a large part fastest, and changes nothing in the tags of rows. */
const latin1 = new TextDecoder('latin1');

/** Unpacks a part alone, because others may be large. A missing one is empty. */
function readPart(workbook: Uint8Array, path: string): Uint8Array {
  const [part] = Object.values(unzipSync(workbook, { filter: ({ name }) => name === path }));
  return part ?? new Uint8Array();
}

/** A relation's target is relative to the folder of the workbook, unless it begins with a slash. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
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

/** Returns the attributes of a tag by their names, without prefixes. */
function attributesOf(text = ''): Readonly<Record<string, string | undefined>> {
  const pairs = text.matchAll(/\s+(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy);
  return Object.fromEntries(
    Array.from(pairs, ([, name, double, single]) => [name, readEntities(double ?? single ?? '')]),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function readEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const codePoint = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return codePoint > 0x10ffff ? whole : String.fromCodePoint(codePoint);
    },
  );
}
