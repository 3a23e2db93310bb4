import { type Batch, makeBatches, type ResolvedNames, UserRows } from '@fieldroster/tables';
import { userFieldsOf } from '../file/column-fields.ts';
import type { Table } from '../file/read-table.ts';
import type { ColumnFields } from '../job/import-job.ts';

/** Small enough that the progress is seen to move. */
const entriesMax = 500;

/** Makes the same batches of the same file whenever it is read, so that an import can continue after a reload. */
export async function planBatches(
  table: Table,
  fields: ColumnFields,
  names: ResolvedNames | undefined,
): Promise<Batch[]> {
  const users = new UserRows({ storeSeparator: ';', clearEmpty: false, mayBeGuarded: true, names });
  const columns = userFieldsOf(table, fields);
  const rows = table.rows.map((row) => users.next(row, columns));
  const batches: Batch[] = [];
  for await (const batch of makeBatches(once(rows), entriesMax)) batches.push(batch);
  return batches;
}

async function* once<Item>(item: Item): AsyncIterable<Item> {
  yield item;
}
