import type { ListRecord } from '../src/admin/import/import-rows.ts';

/** Turns lines of values without quotes into the records of a list, in groups of 1,000. Leaves out blank lines. */
export async function* listRecords(text: string): AsyncIterable<readonly ListRecord[]> {
  const lines = text.split('\n').map((values, index) => ({ line: index + 1, fields: values.split(',') }));
  const records = lines.filter(({ fields }) => fields.join('') !== '' || fields.length > 1);
  for (let start = 0; start < records.length; start += 1000) yield records.slice(start, start + 1000);
}
