export { requireWorkbookSize } from './check-workbook.ts';
export { readWorkbookRows } from './workbook-rows.ts';
export { WorkbookWriter } from './workbook-writer.ts';
