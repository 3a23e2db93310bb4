import type { Id } from '../../../api/wire.ts';
import { prepareWork } from '../batches/prepare-work.ts';
import { readJob, readNames, saveBatch, saveJob } from './import-database.ts';
import type { ImportJob } from './import-job.ts';

/** Progress of an import, in rows. */
export interface Progress {
  readonly done: number;
  readonly all: number;
}

interface Running {
  readonly tenant: Id;
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Continues an import to its end, and saves its progress after each batch.
 *
 * @returns the job at its end; `undefined` when another tab runs it, or the page was left
 */
export async function runImport(running: Running): Promise<ImportJob | undefined> {
  // Browsers offer locks on HTTPS and localhost only.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return runAlone(running);
  return locks.request(`fieldroster-import ${running.owner}`, { ifAvailable: true }, (lock) =>
    lock === null ? undefined : runAlone(running),
  );
}

async function runAlone({ tenant, owner, signal, onProgress }: Running): Promise<ImportJob | undefined> {
  // Another tab may have continued it.
  let job = await readJob(owner);
  if (job === undefined || job.step !== 'running') return job;
  // The names keep their meaning from the preview: a batch that is sent again must be the same, whatever happens to the
  // directory meanwhile.
  const names = await readNames(owner);
  const { batches } = await prepareWork(job, tenant, async () => names);
  const rowsUntil = (count: number) => batches.slice(0, count).reduce((sum, { rows }) => sum + rows, 0);
  const all = rowsUntil(batches.length);
  for (const batch of batches.slice(job.batchesDone)) {
    if (signal.aborted) return undefined;
    onProgress({ done: rowsUntil(job.batchesDone), all });
    const before: ImportJob = job;
    const note = (sent: ImportJob['sent'] & object) => saveJob({ ...before, sent });
    const outcomes = await batch.apply(before.sent, note);
    const { sent: _, ...rest } = before;
    job = { ...rest, batchesDone: rest.batchesDone + 1 };
    await saveBatch(job, outcomes);
  }
  // The file may contain passwords, and is no longer needed.
  const done: ImportJob = { ...job, step: 'done', file: new Blob() };
  await saveJob(done);
  return done;
}
