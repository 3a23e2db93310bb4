import type { HiddenInSheet, ResolvedNames } from '@fieldroster/tables';
import { readTable, type Table } from '../file/read-table.ts';
import type { ImportJob } from '../job/import-job.ts';
import type { Importer } from './importer.ts';
import { prepareLists } from './lists/prepare-lists.ts';
import { planBatches } from './plan-batches.ts';
import { applyBatch, previewBatch, settleBatch } from './send-batch.ts';
import type { WorkBatch } from './work-batch.ts';

export interface ImportWork {
  readonly batches: readonly WorkBatch[];
  /** The roles and organizations that the names in a file of users stand for. */
  readonly names?: ResolvedNames | undefined;
  /** The rows that the sheet of a workbook hides. */
  readonly hidden: HiddenInSheet | undefined;
}

/**
 * Makes the same batches whenever it reads the same file with the same meaning of its names, so that an import can
 * continue after a reload.
 *
 * @param findNames finds what the names in a file of users stand for
 */
export async function prepareWork(
  job: ImportJob,
  importer: Importer,
  findNames: (table: Table) => Promise<ResolvedNames | undefined>,
): Promise<ImportWork> {
  const { kind, fields } = job;
  const table = await readTable(job.file, job.fileName, job.encoding);
  const { hidden } = table;
  if (kind !== 'users') return { batches: await prepareLists(kind, table, fields, importer), hidden };
  const names = await findNames(table);
  const planned = await planBatches(table, fields, names);
  const batches = planned.map(
    (batch): WorkBatch => ({
      rows: batch.rows.length,
      preview: (signal) => previewBatch(importer, batch, signal),
      apply: (sent, note) => applyBatch(importer, batch, sent, note),
      settle: (_sent, fate) => settleBatch(importer, batch, fate),
    }),
  );
  return { batches, names, hidden };
}
