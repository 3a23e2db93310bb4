/** The tag of a cell, its formula, its value or its text, with its attributes and the `/` of a lone tag. */
const tag = /<(\/?)([\w.-]+:)?(c|f|v|is)(?=[\s/>])([^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*)>/g;

/** Most sheets have neither an error nor a formula, and need not be searched cell by cell. */
const mayHaveFault = /\st\s*=\s*["']e["']|<(?:[\w.-]+:)?f[\s/>]/;

const typeAttribute = /\st\s*=\s*["']([^"']*)["']/;
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
 * the error, `=` before the formula. The reader takes such cells for empty ones, but passes numbers on unread.
 *
 * @param part a sheet, or another part of a workbook, which is returned as it is
 */
export function keepCellFaults(part: Uint8Array): Uint8Array {
  const xml = new TextDecoder().decode(part);
  return xml.includes('sheetData') && mayHaveFault.test(xml) ? new TextEncoder().encode(rewrite(xml)) : part;
}

function rewrite(xml: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { cell, end } of cellsOf(xml)) {
    const fault = faultOf(cell);
    const place = placeAttribute.exec(cell.attributes)?.[0];
    if (fault === undefined || place === undefined) continue;
    const { start, prefix } = cell;
    const kept = `<${prefix}c${place}><${prefix}v>${fault}</${prefix}v></${prefix}c>`;
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
