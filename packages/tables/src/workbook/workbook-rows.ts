import { readSheet } from 'read-excel-file/universal';
import { FileFault } from '../file-fault.ts';
import { SheetFault, SheetNumber, type SourceRow, TableHeader } from '../source-row.ts';
import { checkWorkbook } from './check-workbook.ts';
import { findHidden, type Hidden } from './find-hidden.ts';

/**
 * Reads the first sheet of a workbook. Unlike the other formats, it is held in memory as a whole. The first row that it
 * returns is the header, and holds no values.
 *
 * @throws {FileFault} for a file that is not a workbook, whose sheets would take too much memory, or whose header has
 *   an error
 */
export async function readWorkbookRows(archive: Uint8Array): Promise<SourceRow[]> {
  const workbook = checkWorkbook(archive);
  // Before the cells, so that their memory is not needed at the same time.
  const hidden = findHidden(workbook);
  const cells = await readCells(workbook);
  const header = new TableHeader();
  // The reader has null for an empty cell; other tables have an empty text, which may clear a field.
  const rows = cells.map((row, index) =>
    header.toRow(
      index + 1,
      row.map((cell) => cell ?? ''),
    ),
  );
  const [first, ...others] = rows.filter((row) => row !== undefined);
  return first === undefined ? [] : [noteHidden(first, others, hidden), ...others];
}

/** Notes in the header what the sheet hides of the rows below it. */
function noteHidden(header: SourceRow, others: readonly SourceRow[], found: Hidden): SourceRow {
  const { sheet, isWholeSheet } = found;
  const rows = isWholeSheet ? others.length : others.filter(({ line }) => found.rows.has(line)).length;
  return isWholeSheet || rows > 0 ? { ...header, hidden: { sheet, isWholeSheet, rows } } : header;
}

async function readCells(workbook: Uint8Array<ArrayBuffer>) {
  try {
    return await readSheet(workbook.buffer, {
      trim: false,
      parseNumber: toNumber,
    });
  } catch (error) {
    throw new FileFault({ key: 'notWorkbook', values: { reason: (error as Error).message } });
  }
}

/** Reads a number. {@link checkWorkbook} marks the number of a cell without a usable value with `!`, `=` or `~`. */
function toNumber(digits: string): SheetNumber | SheetFault {
  if (digits.startsWith('!')) return new SheetFault('error', digits.slice(1));
  if (digits.startsWith('~')) return new SheetFault('format', digits.slice(1));
  return digits.startsWith('=') ? new SheetFault('formula', digits) : new SheetNumber(digits);
}
