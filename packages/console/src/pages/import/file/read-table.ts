import {
  decodeText,
  encodingOfStart,
  FileFault,
  type HiddenInSheet,
  readCsvRows,
  type SourceRow,
  startBytes,
} from '@fieldroster/tables';

/** A file as read: its rows, and the names of its columns, which are distinct unless they are empty. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly SourceRow[];
  /** The rows that the sheet of a workbook hides. */
  readonly hidden?: HiddenInSheet | undefined;
}

/** Returns whether the text of a file has an encoding that may have to be chosen. */
export function isText(fileName: string): boolean {
  return !/\.xlsx$/i.test(fileName);
}

/** Returns the encoding that the beginning of the file shows. */
export async function guessEncoding(file: Blob): Promise<string> {
  return encodingOfStart(new Uint8Array(await file.slice(0, startBytes).arrayBuffer()));
}

/**
 * Reads a CSV file or a workbook by its extension.
 *
 * @throws {FileFault} for a file that cannot be read; an `EncodingFault` when another encoding may help
 */
export async function readTable(file: Blob, fileName: string, encoding: string): Promise<Table> {
  if (!/\.(?:csv|tsv|txt|xlsx)$/i.test(fileName)) {
    throw new FileFault({ key: 'unknownEnding', values: { file: fileName } });
  }
  const [header, ...rows] = isText(fileName) ? await readCsv(file, encoding) : await readWorkbook(file);
  if (header === undefined)
    throw new FileFault({ key: isText(fileName) ? 'empty' : 'emptySheet', values: {} });
  return { names: distinct(header.names), rows, hidden: header.hidden };
}

async function readCsv(file: Blob, encoding: string): Promise<SourceRow[]> {
  const all: SourceRow[] = [];
  for await (const rows of readCsvRows(decodeText(piecesOf(file), encoding), undefined))
    for (const row of rows) all.push(row);
  return all;
}

/** Not every browser iterates over a stream itself. */
async function* piecesOf(file: Blob): AsyncIterable<Uint8Array> {
  const reader = file.stream().getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

async function readWorkbook(file: Blob): Promise<SourceRow[]> {
  const { readWorkbookRows, requireWorkbookSize } = await import('@fieldroster/tables/workbook');
  requireWorkbookSize(file.size);
  return readWorkbookRows(new Uint8Array(await file.arrayBuffer()));
}

/** Makes the names of columns distinct: the second `Name` becomes `Name (2)`. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return name;
    }
    let count = 2;
    while (taken.has(`${name} (${count})`)) count++;
    const numbered = `${name} (${count})`;
    taken.add(numbered);
    return numbered;
  });
}
