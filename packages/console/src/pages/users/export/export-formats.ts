import type { FoundUser } from '../../../api/user-search-query.ts';
import { exportHeadings, exportValues } from './export-columns.ts';
import { TextParts } from './text-parts.ts';

export type ExportFormat = 'csv' | 'xlsx';

/** A file that is written page by page. */
interface ExportFile {
  readonly type: string;
  /** How many users it may have. */
  readonly usersMax: number;
  add(users: readonly FoundUser[]): void;
  end(): readonly BlobPart[];
}

/** Begins a file of each format, whose code is loaded only then. */
export const exportFormats: Readonly<Record<ExportFormat, () => Promise<ExportFile>>> = {
  csv: beginCsv,
  xlsx: beginWorkbook,
};

/** Spreadsheets recognise UTF-8 by the mark at the beginning. A text that they would run as a formula is guarded. */
async function beginCsv(): Promise<ExportFile> {
  const { writeCsv } = await import('@fieldroster/tables');
  const parts = new TextParts();
  parts.add(`\ufeff${writeCsv([exportHeadings])}`);
  return {
    type: 'text/csv',
    usersMax: Number.POSITIVE_INFINITY,
    add: (users) => parts.add(writeCsv(users.map(exportValues))),
    end: () => parts.end(),
  };
}

async function beginWorkbook(): Promise<ExportFile> {
  const { WorkbookWriter, workbookRowsMax } = await import('@fieldroster/tables/workbook');
  const writer = new WorkbookWriter(exportHeadings);
  return {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    usersMax: workbookRowsMax - 1,
    add: (users) => writer.add(users.map(exportValues)),
    end: () => writer.end(),
  };
}
