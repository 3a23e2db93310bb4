import { decodeText, encodingOfMark, FileFault, readCsvRows, type SourceRow } from '@fieldroster/tables';

/** A file as read: the names of its columns, each of which comes once unless it is empty, and its rows. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly SourceRow[];
}

/** Whether the text of a file has an encoding that may have to be chosen. */
export function isText(fileName: string): boolean {
  return !/\.xlsx$/i.test(fileName);
}

/** Returns the encoding that the file's byte order mark names, else UTF-8. */
export async function guessEncoding(file: Blob): Promise<string> {
  return encodingOfMark(new Uint8Array(await file.slice(0, 2).arrayBuffer()));
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
  return { names: withoutRepetition(header.names), rows };
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

/** Tells columns of one name apart: the second `Name` becomes `Name (2)`. */
function withoutRepetition(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 2; own !== '' && seen.has(own); count++) {
      const next = `${name} (${count})`;
      if (!taken.has(next)) own = next;
    }
    taken.add(own);
    seen.add(own);
    return own;
  });
}
