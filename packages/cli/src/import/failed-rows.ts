import { createReadStream } from 'node:fs';
import { type FileHandle, rm } from 'node:fs/promises';
import { stringifyExactJson } from '@fieldroster/client';
import { guardFormula, unguardFormula } from '@fieldroster/contract/formula-guard';
import {
  type ColumnField,
  cellText,
  decodeText,
  isSecret,
  readCsvRows,
  SheetFault,
  SheetNumber,
  type SourceRow,
  ValueProblem,
  writeCsvAsIs,
} from '@fieldroster/tables';
import { replaceFile } from '../files/private-files.ts';
import { ColumnMap, problemColumn } from './column-map.ts';
import type { ImportPaths } from './import-paths.ts';
import { isTable, readRows } from './read-rows.ts';
import type { ImportSource } from './user-rows.ts';

/**
 * Writes the rows that failed, as they are in the source, each with the reason. The result file says which ones, so
 * that an import that was interrupted reports them all. Removes the file if no row failed.
 *
 * @param confirm throws if the lines of the source are no longer those of the result file, and the file stays as it is
 */
export async function writeFailedRows(
  source: ImportSource,
  { resultPath, failedPath }: ImportPaths,
  confirm: () => Promise<void>,
): Promise<void> {
  const problems = await readProblems(resultPath);
  if (problems.size === 0) {
    await confirm();
    await rm(failedPath, { force: true });
    return;
  }
  await replaceFile(failedPath, async (file) => {
    await writeRows(source, problems, file);
    await confirm();
  });
}

/** Returns the reason for each line whose row failed. */
async function readProblems(resultPath: string): Promise<Map<number, string>> {
  const problems = new Map<number, string>();
  const texts = decodeText(createReadStream(resultPath), 'utf-8');
  for await (const rows of readCsvRows(texts, ',')) {
    for (const { values } of rows) {
      const [line, , outcome, code, message] = values.map(String);
      if (outcome !== 'failed') continue;
      problems.set(Number(line), `${code === '' ? '' : `${code} `}${unguardFormula(message ?? '')}`);
    }
  }
  return problems;
}

async function writeRows(
  source: ImportSource,
  problems: Map<number, string>,
  file: FileHandle,
): Promise<void> {
  const table = isTable(source.path);
  const columns = new ColumnMap(source.mappings, source.ignoreUnknown);
  let isHeader = table;
  for await (const rows of readRows(source)) {
    let text = '';
    for (const row of rows) {
      const problem = isHeader ? problemColumn : problems.get(row.line);
      if (problem !== undefined)
        text += table ? toCsv(row, columns.fieldsOf(row.names, row.line), problem) : toJsonLine(row, problem);
      isHeader = false;
    }
    await file.appendFile(text);
  }
}

/** The reason comes first, so that a row with too few or too many values stays as it is. */
function toCsv(
  { names, values }: SourceRow,
  fields: readonly (ColumnField | undefined)[],
  problem: string,
): string {
  const cells = problem === problemColumn ? names : values;
  const texts = cells.map((value, column) => {
    const field = fields[column];
    const text = field === undefined ? toText(value) : usableText(field, value);
    // Imports remove no guard from a password.
    return field !== undefined && isSecret(field) ? text : guardCell(text);
  });
  // Rows of a file of failed rows may fail again. Drop the reasons for which they failed before.
  const others = texts.filter((_, column) => names[column] !== problemColumn);
  return writeCsvAsIs([[guardFormula(problem), ...others]]);
}

/** Guards the parts of a cell that are not guarded yet: imports remove one guard of each. */
function guardCell(text: string): string {
  return guardFormula(unguardFormula(text));
}

/**
 * Returns the text of a cell. If the cell has no text that an import accepts, such as a formula without a result, a
 * rounded number or a date, returns what fails again when the row is imported unchanged.
 */
function usableText(field: string, value: unknown): string {
  try {
    return cellText(field, value ?? '');
  } catch (error) {
    if (error instanceof ValueProblem) return '#N/A';
    throw error;
  }
}

function toText(value: unknown): string {
  if (value instanceof SheetNumber) return value.digits;
  if (value instanceof SheetFault) return '#N/A';
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '' : String(value);
}

/** A line that is not a JSON object has no place for the reason. */
function toJsonLine({ names, values, raw }: SourceRow, problem: string): string {
  if (raw !== undefined) return `${raw}\n`;
  const members = names.map((name, index) => [name, values[index]] as const);
  const others = members.filter(([name]) => name !== problemColumn);
  return `${stringifyExactJson(Object.fromEntries([[problemColumn, problem], ...others]))}\n`;
}
