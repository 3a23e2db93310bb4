import type { HiddenInSheet } from '@fieldroster/tables';
import { countRows } from './count-rows.ts';

/** Says that an import includes rows that a spreadsheet program does not show. */
export function sayHidden({ sheet, isWholeSheet, rows }: HiddenInSheet): string {
  const name = JSON.stringify(sheet);
  if (isWholeSheet)
    return `reads ${countRows(rows)} from the first sheet, ${name}, which is hidden in the workbook`;
  return `also imports ${countRows(rows)} that ${rows === 1 ? 'is' : 'are'} hidden in the sheet ${name}`;
}
