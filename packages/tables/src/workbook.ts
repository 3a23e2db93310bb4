export { requireWorkbookSize } from './check-workbook.ts';
export { readWorkbookRows } from './workbook-rows.ts';
