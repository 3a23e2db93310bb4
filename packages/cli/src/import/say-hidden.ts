import type { HiddenInSheet } from '@fieldroster/tables';

/** Says that an import also has the rows that a spreadsheet program does not show. */
export function sayHidden({ sheet, isSheet, rows }: HiddenInSheet): string {
  if (isSheet)
    return `reads ${count(rows)} from the first sheet, ${JSON.stringify(sheet)}, which is hidden in the workbook`;
  return `also imports ${count(rows)} that ${rows === 1 ? 'is' : 'are'} hidden in the sheet ${JSON.stringify(sheet)}`;
}

function count(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}
