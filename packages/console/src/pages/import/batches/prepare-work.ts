import type { HiddenInSheet, ResolvedNames } from '@fieldroster/tables';
import type { Id } from '../../../api/wire.ts';
import { readTable, type Table } from '../file/read-table.ts';
import type { ImportJob } from '../job/import-job.ts';
import { prepareLists } from './lists/prepare-lists.ts';
import { planBatches } from './plan-batches.ts';
import { applyBatch, previewBatch } from './send-batch.ts';
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
  tenant: Id,
  findNames: (table: Table) => Promise<ResolvedNames | undefined>,
): Promise<ImportWork> {
  const { kind, fields } = job;
  const table = await readTable(job.file, job.fileName, job.encoding);
  const { hidden } = table;
  if (kind !== 'users') return { batches: await prepareLists(kind, table, fields, tenant), hidden };
  const names = await findNames(table);
  const planned = await planBatches(table, fields, names);
  const batches = planned.map(
    (batch): WorkBatch => ({
      rows: batch.rows.length,
      preview: (signal) => previewBatch(tenant, batch, signal),
      apply: (sent, note) => applyBatch(tenant, batch, sent, note),
    }),
  );
  return { batches, names, hidden };
}
