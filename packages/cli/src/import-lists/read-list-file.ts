import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { problemInEnglish } from '@fieldroster/contract/problems';
import { ImportFault, type ListRecord } from '@fieldroster/server/admin';
import {
  decodeText,
  FileFault,
  type ListKind,
  listCellText,
  readCsvRows,
  type SourceRow,
  ValueProblem,
} from '@fieldroster/tables';
import { sayHidden } from '../import/say-hidden.ts';
import { printable, warn } from '../output/print.ts';
import { type ColumnRules, listColumns } from './list-columns.ts';

/** A file of stores, organizations or roles, and how to read it. */
export interface ListFile extends ColumnRules {
  readonly path: string;
  /** The encoding of a text file; by default the one that its beginning shows. */
  readonly encoding?: string | undefined;
  /** Separates the values of a CSV file; by default detected in the first line. */
  readonly delimiter?: string | undefined;
  /** Called as a text file is read, with the number of bytes read so far. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

/**
 * Reads a workbook by its extension, and any other file as CSV. The first record has the names of the fields. CSV is
 * read as a stream, and may come from a pipe.
 *
 * @throws {ImportFault} for the first line that cannot be read; a value that cannot be read is an `ImportFault` in its row
 */
export async function* readListFile(kind: ListKind, file: ListFile): AsyncIterable<readonly ListRecord[]> {
  let fields: Fields | undefined;
  try {
    for await (const [first, ...others] of readRows(file)) {
      if (first === undefined) continue;
      const isHeader = fields === undefined;
      const known = fields ?? listColumns(kind, first, file);
      fields = known;
      if (first.hidden !== undefined) warn(printable(sayHidden(first.hidden)));
      const begin = isHeader ? toHeader(first, known) : toRecord(kind, first, known);
      yield [begin, ...others.map((row) => toRecord(kind, row, known))];
    }
  } catch (error) {
    throw error instanceof FileFault ? toImportFault(error) : error;
  }
}

/** The field of each column; `undefined` for one that is left out. */
type Fields = readonly (string | undefined)[];

function toHeader({ line }: SourceRow, fields: Fields): ListRecord {
  return { line, fields: fields.filter((field) => field !== undefined) };
}

async function* readRows(file: ListFile): AsyncIterable<SourceRow[]> {
  if (extname(file.path).toLowerCase() !== '.xlsx') {
    yield* readCsvRows(decodeText(readBytes(file), file.encoding), file.delimiter);
    return;
  }
  // Most imports are CSV files and do not need the workbook code.
  const { readXlsxRows } = await import('../import/xlsx-rows.ts');
  yield* readXlsxRows(file.path);
}

const chunkBytes = 64 * 1024;

async function* readBytes({ path, onProgress }: ListFile): AsyncIterable<Uint8Array> {
  let bytesRead = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    yield chunk;
    bytesRead += chunk.length;
    onProgress?.(bytesRead);
  }
}

function toRecord(kind: ListKind, row: SourceRow, fields: Fields): ListRecord {
  const { line, problem, values } = row;
  if (problem !== undefined) throw new ImportFault(problem, line);
  const texts: (string | ImportFault)[] = [];
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index];
    if (field !== undefined) texts.push(textOf(kind, field, values[index], line));
  }
  return { line, fields: texts };
}

function textOf(kind: ListKind, field: string, value: unknown, line: number): string | ImportFault {
  try {
    return listCellText(kind, field, value);
  } catch (error) {
    if (error instanceof ValueProblem) return new ImportFault(withoutName(error.message, field), line, field);
    throw error;
  }
}

/** The message of an import names the column before the problem. */
function withoutName(problem: string, field: string): string {
  return problem.startsWith(`${field} `) ? problem.slice(field.length + 1) : problem;
}

/** Passes the line as a field, because `importList` writes it before the message. */
function toImportFault({ message, problem, line }: FileFault): ImportFault {
  return new ImportFault(problem === undefined ? message : problemInEnglish(problem), line);
}
