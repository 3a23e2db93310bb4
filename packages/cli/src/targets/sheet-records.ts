import { CsvError, type CsvRecord } from '@fieldroster/server/admin';
import { cellText, FileFault, type SourceRow, ValueProblem } from '@fieldroster/tables';
import { sayHidden } from '../import/say-hidden.ts';
import { readXlsxRows } from '../import/xlsx-rows.ts';
import { printable, warn } from '../output/print.ts';

/**
 * Reads the first sheet of a workbook as records of text, the header first. Leaves out columns without a name.
 *
 * @throws {CsvError} for a file that is not a workbook, and for a value that the spreadsheet has changed
 */
export async function* readSheetRecords(path: string): AsyncIterable<CsvRecord[]> {
  try {
    for await (const rows of readXlsxRows(path)) {
      const hidden = rows[0]?.hidden;
      if (hidden !== undefined) warn(printable(sayHidden(hidden)));
      yield rows.map(toRecord);
    }
  } catch (error) {
    if (error instanceof FileFault) throw new CsvError(error.message);
    throw error;
  }
}

function toRecord({ line, names, values }: SourceRow, index: number): CsvRecord {
  const isHeader = index === 0;
  const fields = names.flatMap((name, column) => {
    if (name === '') return [];
    return [isHeader ? name : textOf(name, values[column], line)];
  });
  return { line, fields };
}

function textOf(name: string, value: unknown, line: number): string {
  try {
    return cellText(name, value);
  } catch (error) {
    if (error instanceof ValueProblem) throw new CsvError(error.message, line);
    throw error;
  }
}
