import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { decodeText, readCsvRows, type SourceRow } from '@fieldroster/tables';
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
      yield* readJsonlRows(decodeText(createReadStream(path), encoding));
      return;
    case '.csv':
    case '.tsv':
    case '.txt':
      yield* readCsvRows(decodeText(createReadStream(path), encoding), delimiter);
      return;
    default:
      throw new UsageError(`${path} must end in .csv, .jsonl or .xlsx, which determines its format`);
  }
}

/** Returns whether a header names the columns for all rows. */
export function isTable(path: string): boolean {
  return !/\.(jsonl|ndjson)$/i.test(path);
}
