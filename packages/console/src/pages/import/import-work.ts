import type { Id } from '../../api/wire.ts';
import type { ImportJob } from './import-job.ts';
import { prepareLists } from './lists/prepare-lists.ts';
import { planBatches } from './plan-batches.ts';
import { readTable } from './read-table.ts';
import { applyBatch, previewBatch } from './send-batch.ts';
import type { WorkBatch } from './work-batch.ts';

/** Makes the same batches of the same file whenever it is read, so that an import can continue after a reload. */
export async function prepareWork(job: ImportJob, tenant: Id): Promise<readonly WorkBatch[]> {
  const { kind, fields } = job;
  const table = await readTable(job.file, job.fileName, job.encoding);
  if (kind !== 'users') return prepareLists(kind, table, fields, tenant);
  const batches = await planBatches(table, fields);
  return batches.map((batch) => ({
    rows: batch.rows.length,
    preview: (signal) => previewBatch(tenant, batch, signal),
    apply: (sent, note) => applyBatch(tenant, batch, sent, note),
  }));
}
