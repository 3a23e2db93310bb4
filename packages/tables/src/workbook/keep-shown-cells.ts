import type { NumberFormat } from './number-formats.ts';

/** The tag of a cell, its formula, its value or its text, with its attributes and the `/` of a lone tag. */
const tag = /<(\/?)([\w.-]+:)?(c|f|v|is)(?=[\s/>])([^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*)>/g;

/** Most sheets have neither an error nor a formula, and need not be searched cell by cell. */
const mayHaveFault = /\st\s*=\s*["']e["']|<(?:[\w.-]+:)?f[\s/>]/;

const typeAttribute = /\st\s*=\s*["']([^"']*)["']/;
const styleAttribute = /\ss\s*=\s*["']([^"']*)["']/;
const placeAttribute = /\sr\s*=\s*(?:"[^"]*"|'[^']*')/;

interface Cell {
  readonly start: number;
  readonly prefix: string;
  readonly attributes: string;
  /** The XML within each element; empty for an empty one. */
  readonly contents: Record<string, string | undefined>;
}

/**
 * Rewrites the cells that show an error, that have a formula without its result, or whose format adds characters to a
 * number, as invalid numbers: `!` before the error, `=` before the formula, `~` before the format. The reader takes the
 * first two for empty cells, but passes numbers on unread. Gives numbers the leading zeros that their cells show.
 *
 * @param part a sheet, or another part of a workbook, which is returned as it is
 * @param formats those of the styles of cells, as `numberFormats` returns them
 */
export function keepShownCells(part: Uint8Array, formats: ReadonlyMap<string, NumberFormat>): Uint8Array {
  const xml = new TextDecoder().decode(part);
  const mayDiffer = xml.includes('sheetData') && (formats.size > 0 || mayHaveFault.test(xml));
  return mayDiffer ? new TextEncoder().encode(rewrite(xml, formats)) : part;
}

function rewrite(xml: string, formats: ReadonlyMap<string, NumberFormat>): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { cell, end } of cellsOf(xml)) {
    const shown = faultOf(cell) ?? shownNumber(cell, formats);
    const place = placeAttribute.exec(cell.attributes)?.[0];
    if (shown === undefined || place === undefined) continue;
    const { start, prefix } = cell;
    const kept = `<${prefix}c${place}><${prefix}v>${shown}</${prefix}v></${prefix}c>`;
    pieces.push(xml.slice(copied, start), kept);
    copied = end;
  }
  return pieces.join('') + xml.slice(copied);
}

function* cellsOf(xml: string): Iterable<{ readonly cell: Cell; readonly end: number }> {
  let cell: Cell | undefined;
  let open = 0;
  for (const { 0: whole, 1: slash, 2: prefix = '', 3: name = '', 4: attributes = '', index } of xml.matchAll(
    tag,
  )) {
    const end = index + whole.length;
    const isLone = attributes.endsWith('/');
    if (name === 'c' && slash === '') {
      cell = { start: index, prefix, attributes, contents: {} };
      if (isLone) yield { cell, end };
    } else if (cell !== undefined) {
      if (name === 'c') yield { cell, end };
      else if (slash !== '') cell.contents[name] = xml.slice(open, index);
      else if (isLone) cell.contents[name] = '';
      else open = end;
    }
    if (name === 'c' && (isLone || slash !== '')) cell = undefined;
  }
}

/** Returns the fault of a cell as XML, or `undefined` for a cell whose value is known. */
function faultOf({ attributes, contents: { f: formula, v: value, is: text } }: Cell): string | undefined {
  const type = typeAttribute.exec(attributes)?.[1];
  if (type === 'e') return `!${value || '#ERROR!'}`;
  // An empty value is the result of a formula that makes a text, and no result of any other.
  const hasResult = text !== undefined || (type === 'str' ? value !== undefined : Boolean(value));
  return formula === undefined || hasResult ? undefined : `=${formula}`;
}

/** Returns a number with its leading zeros, or its format; `undefined` for a cell that shows it as it is. */
function shownNumber(
  { attributes, contents: { v: value = '' } }: Cell,
  formats: ReadonlyMap<string, NumberFormat>,
): string | undefined {
  const format = formats.get(styleAttribute.exec(attributes)?.[1] ?? '');
  const isNumber = (typeAttribute.exec(attributes)?.[1] ?? 'n') === 'n' && value !== '';
  if (format === undefined || !isNumber) return undefined;
  if (typeof format === 'string') return `~${escapeXml(format)}`;
  return /^\d+$/.test(value) && value.length < format ? value.padStart(format, '0') : undefined;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
