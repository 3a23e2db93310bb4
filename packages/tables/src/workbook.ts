export { requireWorkbookSize } from './workbook/check-workbook.ts';
export { readWorkbookRows } from './workbook/workbook-rows.ts';
export { WorkbookWriter, workbookRowsMax } from './workbook/workbook-writer.ts';
