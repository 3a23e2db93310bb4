import type { Id } from '../../api/wire.ts';
import type { ImportJob, RowOutcome, SentBatch } from './import-job.ts';
import { prepareLists } from './lists/prepare-lists.ts';
import { planBatches } from './plan-batches.ts';
import { readTable } from './read-table.ts';
import { applyBatch, previewBatch } from './send-batch.ts';

/** Some rows that are sent together. */
export interface WorkBatch {
  readonly rows: number;
  /** Answers what the batch would do, and changes nothing. */
  readonly preview: (signal: AbortSignal) => Promise<readonly RowOutcome[]>;
  /**
   * Applies the batch once, however often it is sent.
   *
   * @param sent how it was sent before, if its outcome is not known
   * @param note keeps how it is sent, before it is
   */
  readonly apply: (
    sent: SentBatch | undefined,
    note: (sent: SentBatch) => Promise<void>,
  ) => Promise<readonly RowOutcome[]>;
}

/** Makes the same batches of the same file whenever it is read, so that an import can go on after a reload. */
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
