import { strFromU8, zipSync } from 'fflate';
import { FileFault } from '../file-fault.ts';
import { fillPlaces, placeAttributes, placeOf, tag } from './cell-places.ts';
import { keepShownCells } from './keep-shown-cells.ts';
import { numberFormats } from './number-formats.ts';
import { openArchive } from './open-archive.ts';
import { isPlainXml, toPlainXml } from './plain-xml.ts';
import {
  namesOfContent,
  partsMax,
  relationsPart,
  stylesPartOf,
  tooManyParts,
  workbookPart,
} from './workbook-parts.ts';

const mebibyte = 1024 * 1024;

/** Enough for about two hundred thousand users, which take about 600 MB of memory while they are read. */
const unpackedBytesMax = 64 * mebibyte;

/** The reader fills every row up to the widest one, so a few cells far apart could exhaust memory. */
const cellsMax = 5_000_000;

/** Bytes from one `<` to the next: a tag and the text that follows. A cell has at most 32,767 characters. */
const runBytesMax = mebibyte;

/**
 * Checks that the content of a workbook stays within bounds, and marks its cells that have no value.
 *
 * @returns an uncompressed archive of the parts that the reader needs, so that nothing unchecked is read later
 * @throws {FileFault} for a file that is not an archive, or whose sheets would take too much memory
 */
export function checkWorkbook(archive: Uint8Array): Uint8Array<ArrayBuffer> {
  requireWorkbookSize(archive.length);
  const unpack = open(archive);
  // Without a prototype: a relation may name any part, such as `__proto__`.
  const parts: Record<string, Uint8Array> = Object.create(null);
  const keep = (name: string) => {
    const content = unpack(name);
    if (content !== undefined) parts[name] = checkPart(name, content);
  };
  keep(workbookPart);
  keep(relationsPart);
  const relations = strFromU8(parts[relationsPart] ?? new Uint8Array());
  const names = new Set(namesOfContent(relations));
  for (const name of names) keep(name);
  const formats = numberFormats(strFromU8(parts[stylesPartOf(relations)] ?? new Uint8Array()));
  for (const name of names) {
    const part = parts[name];
    if (part !== undefined) parts[name] = keepShownCells(part, formats);
  }
  return zipSync(parts, { level: 0 });
}

/** Returns the part as plain XML, in which every cell has its place. */
function checkPart(name: string, content: Uint8Array): Uint8Array {
  const plain = requirePlain(name, content);
  refuseLongRuns(name, latin1.decode(plain));
  const { lacksPlaces } = checkGrid(name, plain);
  return lacksPlaces ? fillPlaces(plain) : plain;
}

/** Throws {@link FileFault} for a file that is too large to be read into memory. */
export function requireWorkbookSize(bytes: number): void {
  if (bytes > unpackedBytesMax) throw tooLarge(bytes);
}

/** Returns a function that unpacks a part by its name; `undefined` if there is none. */
function open(archive: Uint8Array): (name: string) => Uint8Array | undefined {
  const parts = blamingFile(() => partsOf(archive));
  return (name) => blamingFile(() => parts.get(name)?.());
}

function partsOf(archive: Uint8Array): ReadonlyMap<string, () => Uint8Array> {
  let total = 0;
  let count = 0;
  return openArchive(archive, ({ name, bytes }) => {
    count += 1;
    if (count > partsMax) throw tooManyParts();
    if (!/\.(?:xml|rels)$/.test(name)) return false;
    total += bytes;
    if (total > unpackedBytesMax) throw tooLarge(total);
    return true;
  });
}

/** Throws the {@link FileFault} of what is wrong with the archive. */
function blamingFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) throw error;
    // A position outside the file.
    const reason = error instanceof RangeError ? 'it is cut off or damaged' : (error as Error).message;
    throw new FileFault({ key: 'notWorkbook', values: { reason } });
  }
}

function tooLarge(bytes: number): FileFault {
  const [found, max] = [Math.ceil(bytes / mebibyte), unpackedBytesMax / mebibyte];
  return new FileFault({ key: 'largeWorkbook', values: { found, max } });
}

const latin1 = new TextDecoder('latin1');

/**
 * Returns the part without comments and the like, whose content the expressions here would take for tags. Refuses a
 * document type, which can declare entities: texts that grow when they are read, or come from elsewhere. Refuses UTF-16,
 * in which neither the expressions nor the reader would find a tag.
 */
function requirePlain(name: string, content: Uint8Array): Uint8Array {
  if (isUtf16(content)) throw new FileFault({ key: 'utf16Part', values: { part: name } });
  if (isPlainXml(latin1.decode(content))) return content;
  const plain = toPlainXml(new TextDecoder().decode(content));
  if (plain === undefined) throw unusual(name);
  const bytes = new TextEncoder().encode(plain);
  requireWorkbookSize(bytes.length);
  return bytes;
}

/** In UTF-16, the `<` with which a part begins has a zero byte on one side, unless a byte order mark precedes it. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (
    first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  );
}

/** A tag from its beginning to its end. A `>` in the value of an attribute does not end it. */
const wholeTag = /<\/?[^\s<>"'/=][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>/y;

/**
 * Refuses a tag, or a text, on which the reader and the regular expressions here would spend minutes, or all stack; such
 * as tags that are not closed. Other data of programs, such as queries or the settings of an add-in, may be long beside
 * the sheets, and is not read.
 */
function refuseLongRuns(name: string, text: string): void {
  let start = text.indexOf('<');
  if (start > runBytesMax) throw unusual(name);
  while (start !== -1) {
    const next = text.indexOf('<', start + 1);
    const end = next === -1 ? text.length : next;
    wholeTag.lastIndex = start;
    if (end - start > runBytesMax || !wholeTag.test(text)) throw unusual(name);
    start = next;
  }
}

/**
 * Throws if the reader would expand the sheet to more cells than fit into memory. Finds out whether cells lack their
 * places.
 */
function checkGrid(name: string, content: Uint8Array): { readonly lacksPlaces: boolean } {
  const text = latin1.decode(content);
  let lacksPlaces = false;
  if (!text.includes('sheetData')) return { lacksPlaces };
  let [rows, columns, column] = [0, 1, 0];
  for (const [, kind, attributes] of text.matchAll(tag)) {
    if (kind === 'row') rows += 1;
    column = kind === 'row' ? 0 : column + 1;
    columns = Math.max(columns, column);
    const places = requireUsual(name, attributes).match(placeAttributes) ?? [];
    if (kind === 'c' && places.length === 0) lacksPlaces = true;
    for (const attribute of places) {
      const place = placeOf(attribute);
      if (place === undefined) throw unusual(name);
      rows = Math.max(rows, place.row);
      column = kind === 'row' ? 0 : place.column;
      columns = Math.max(columns, place.column);
    }
    if (rows * columns > cellsMax) {
      throw new FileFault({ key: 'manyCells', values: { part: name, rows, columns, max: cellsMax } });
    }
  }
  return { lacksPlaces };
}

function requireUsual(name: string, attributes: string | undefined): string {
  if (attributes === undefined) throw unusual(name);
  return attributes;
}

function unusual(name: string): FileFault {
  return new FileFault({ key: 'unusual', values: { part: name } });
}
