import { readSheet } from 'read-excel-file/node';
import { FileFault } from './file-fault.ts';
import { openWorkbook } from './open-workbook.ts';
import { SheetNumber, type SourceRow, TableHeader } from './source-row.ts';

/** Reads the first sheet of a workbook. Unlike the other formats, it is held in memory as a whole. */
export async function* readXlsxRows(path: string): AsyncIterable<SourceRow[]> {
  const cells = await readCells(path);
  const header = new TableHeader();
  const rows = cells.map((row, index) => header.toRow(index + 1, row));
  yield rows.filter((row) => row !== undefined);
}

async function readCells(path: string) {
  const workbook = await openWorkbook(path);
  try {
    return await readSheet(workbook, { trim: false, parseNumber: (digits) => new SheetNumber(digits) });
  } catch (error) {
    throw new FileFault(`cannot be read as a workbook: ${(error as Error).message}`);
  }
}
