import { readFile, stat } from 'node:fs/promises';
import type { SourceRow } from '@fieldroster/tables';
import { readWorkbookRows, requireWorkbookSize } from '@fieldroster/tables/workbook';

/** Reads the first sheet of a workbook. */
export async function* readXlsxRows(path: string): AsyncIterable<SourceRow[]> {
  requireWorkbookSize((await stat(path)).size);
  yield await readWorkbookRows(await readFile(path));
}
