import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { decodeText, encodingOfMark, readCsvRows, type SourceRow } from '@fieldroster/tables';
import { UsageError } from '../run-program.ts';
import { readJsonlRows } from './jsonl-rows.ts';

export interface SourceFile {
  readonly path: string;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
}

/**
 * Reads the rows of a file in pieces, by its extension. The first row of a table is the header, without values.
 *
 * @throws {FileFault} where the rest cannot be read
 */
export async function* readRows({ path, encoding, delimiter }: SourceFile): AsyncIterable<SourceRow[]> {
  switch (extname(path).toLowerCase()) {
    case '.xlsx': {
      // Most imports are CSV files and do not need the workbook code.
      const { readXlsxRows } = await import('./xlsx-rows.ts');
      yield* readXlsxRows(path);
      return;
    }
    case '.jsonl':
    case '.ndjson':
      yield* readJsonlRows(await readTexts(path, encoding));
      return;
    case '.csv':
    case '.tsv':
    case '.txt':
      yield* readCsvRows(await readTexts(path, encoding), delimiter);
      return;
    default:
      throw new UsageError(`${path} must end in .csv, .jsonl or .xlsx, which determines its format`);
  }
}

async function readTexts(path: string, encoding: string | undefined): Promise<AsyncIterable<string>> {
  const found = await findEncoding(path, encoding);
  // Only now, because nobody would hear of an error of the stream while the encoding is looked for.
  return decodeText(createReadStream(path), found);
}

/** Returns the requested encoding, else that of the byte order mark, else UTF-8. */
async function findEncoding(path: string, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return asked;
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return encodingOfMark(buffer);
  } finally {
    await file.close();
  }
}

/** Returns whether a header names the columns for all rows. */
export function isTable(path: string): boolean {
  return !/\.(jsonl|ndjson)$/i.test(path);
}
