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
 * Rewrites the cells that show an error, or that have a formula without its result, as invalid numbers: `!` before
 * the error, `=` before the formula. The reader takes such cells for empty ones, but passes numbers on unread. Gives
 * numbers the leading zeros that their cells show.
 *
 * @param part a sheet, or another part of a workbook, which is returned as it is
 * @param paddings the digits that the styles of cells show at least, as `zeroPaddings` returns them
 */
export function keepShownCells(part: Uint8Array, paddings: ReadonlyMap<string, number>): Uint8Array {
  const xml = new TextDecoder().decode(part);
  const mayDiffer = xml.includes('sheetData') && (paddings.size > 0 || mayHaveFault.test(xml));
  return mayDiffer ? new TextEncoder().encode(rewrite(xml, paddings)) : part;
}

function rewrite(xml: string, paddings: ReadonlyMap<string, number>): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { cell, end } of cellsOf(xml)) {
    const shown = faultOf(cell) ?? paddedOf(cell, paddings);
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

/** Returns a whole number with its leading zeros, or `undefined` for a cell that shows none. */
function paddedOf(
  { attributes, contents: { v: value = '' } }: Cell,
  paddings: ReadonlyMap<string, number>,
): string | undefined {
  const width = paddings.get(styleAttribute.exec(attributes)?.[1] ?? '');
  const isNumber = (typeAttribute.exec(attributes)?.[1] ?? 'n') === 'n';
  if (width === undefined || !isNumber || !/^\d+$/.test(value) || value.length >= width) return undefined;
  return value.padStart(width, '0');
}
