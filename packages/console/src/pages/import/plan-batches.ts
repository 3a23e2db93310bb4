import {
  type Batch,
  type ColumnField,
  isColumnField,
  makeBatches,
  type ResolvedNames,
  UserRows,
} from '@fieldroster/tables';
import type { ColumnFields } from './import-job.ts';
import type { Table } from './read-table.ts';

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

/** Returns the field of each column; `undefined` for one that is left out. */
export function userFieldsOf({ names }: Table, fields: ColumnFields): readonly (ColumnField | undefined)[] {
  return names.map((name) => {
    const field = fields[name] ?? '';
    return isColumnField(field) ? field : undefined;
  });
}

async function* once<Item>(item: Item): AsyncIterable<Item> {
  yield item;
}
