import { type ListKind, type ListRow, readListRows } from '@fieldroster/tables';
import type { Table } from '../../file/read-table.ts';
import type { ColumnFields } from '../../job/import-job.ts';
import type { Importer } from '../importer.ts';
import type { WorkBatch } from '../work-batch.ts';
import { applyRows, settleRows } from './apply-rows.ts';
import { compareRow } from './compare-row.ts';
import { findCaseVariants } from './find-case-variants.ts';
import { readEntries } from './list-entries.ts';

/** The longest stores of one request stay below a proxy's usual limit of 1 MiB. */
const storesOfBatch = 150;

/**
 * Makes batches of a file of stores, organizations or roles. Compares each row with the directory's entries to find its
 * changes, because the operations on organizations and roles have no dry run, and that of stores only counts.
 */
export async function prepareLists(
  kind: ListKind,
  table: Table,
  fields: ColumnFields,
  importer: Importer,
): Promise<readonly WorkBatch[]> {
  const columns = table.names.map((name) => fields[name] || undefined);
  const read = readListRows(kind, table.rows, columns);
  const rows = kind === 'orgs' ? parentsFirst(read) : read;
  const entries = await readEntries(kind, importer);
  const planned = new Set(rows.flatMap(({ key, problem }) => (problem === undefined ? [key] : [])));
  const variants = findCaseVariants(kind === 'stores' ? rows : [], entries.keys());
  const compare = (row: ListRow) => compareRow(kind, row, { entries, planned, variants });
  const size = kind === 'stores' ? storesOfBatch : 1;
  const batches: WorkBatch[] = [];
  for (let start = 0; start < rows.length; start += size) {
    const own = rows.slice(start, start + size);
    batches.push({
      rows: own.length,
      preview: async () => own.map((row) => compare(row)),
      apply: (sent, note) => applyRows({ kind, importer, rows: own, compare }, sent, note),
      settle: async (sent, fate) => settleRows(own, compare, sent, fate),
    });
  }
  return batches;
}

/** An organization can be created only below one that exists. Rows in a circle stay where they are. */
function parentsFirst(rows: readonly ListRow[]): readonly ListRow[] {
  const byKey = new Map(rows.filter(({ problem }) => problem === undefined).map((row) => [row.key, row]));
  const ordered = new Set<ListRow>();
  for (const row of rows) {
    const above: ListRow[] = [];
    for (
      let one: ListRow | undefined = row;
      one !== undefined && !ordered.has(one) && !above.includes(one);
      one = byKey.get(parentOf(one))
    )
      above.push(one);
    for (const one of above.reverse()) ordered.add(one);
  }
  return [...ordered];
}

function parentOf({ values: { parent_id = '' } = {} }: ListRow): string {
  return String(parent_id);
}
