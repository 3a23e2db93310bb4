import { type Acting, acting } from '../../../api/acting.ts';
import { serverNow } from '../../../api/server-clock.ts';
import type { Id } from '../../../api/wire.ts';
import { fateOfChange } from '../batches/fate-of-change.ts';
import type { Importer } from '../batches/importer.ts';
import { prepareWork } from '../batches/prepare-work.ts';
import { readJob, readNames, saveProgress } from './import-database.ts';
import type { ImportJob, Progress } from './import-job.ts';

interface Running {
  readonly tenant: Id;
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Another tab runs the import, or the page was left. */
export const notHere = 'not here';

/**
 * How long an import may rest and still continue by itself, in milliseconds. A reload takes seconds, and an answer up to
 * eight minutes. Later, others may have changed what the preview compared.
 */
const restMsMax = 600_000;

/**
 * Continues an import to its end, and saves its progress after each batch. One that has rested for long stops instead.
 *
 * @returns the job at its end, or stopped; `null` if it was removed meanwhile
 */
export async function runImport(running: Running): Promise<ImportJob | null | typeof notHere> {
  const by = acting();
  // Browsers offer locks on HTTPS and localhost only.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return runAlone(running, by);
  return locks.request(`fieldroster-import ${running.owner}`, { ifAvailable: true }, (lock) =>
    lock === null ? notHere : runAlone(running, by),
  );
}

async function runAlone(
  { tenant, owner, signal, onProgress }: Running,
  by: Acting,
): Promise<ImportJob | null | typeof notHere> {
  // Another tab may have continued it.
  let job = await readJob(owner);
  if (job === undefined) return null;
  if (job.step !== 'running') return job;
  if (serverNow() - (job.activeAtMs ?? 0) > restMsMax) return saved({ ...job, step: 'stopped' });
  // The names keep their meaning from the preview: a batch that is sent again must be the same, whatever happens to the
  // directory meanwhile.
  const names = await readNames(owner);
  const { batches } = await prepareWork(job, { tenant, by }, async () => names);
  for (const batch of batches.slice(job.batchesDone)) {
    if (signal.aborted) return notHere;
    const progress = progressOf(batches, job.batchesDone);
    onProgress(progress);
    const before: ImportJob = { ...job, progress };
    const note = async (sent: ImportJob['sent'] & object) => {
      if ((await saved({ ...before, sent })) === null) throw new RemovedError();
    };
    const outcomes = await batch.apply(before.sent, note).catch((error: unknown) => {
      if (error instanceof RemovedError) return undefined;
      throw error;
    });
    if (outcomes === undefined) return null;
    const { sent: _, ...rest } = before;
    const batchesDone = rest.batchesDone + 1;
    job = { ...rest, batchesDone, activeAtMs: serverNow(), progress: progressOf(batches, batchesDone) };
    if (!(await saveProgress(job, outcomes))) return null;
  }
  // The file may contain passwords, and is no longer needed.
  return saved({ ...job, step: 'done', file: new Blob() });
}

class RemovedError extends Error {}

/** Saves a job and returns it; `null` if it was removed. */
async function saved(job: ImportJob): Promise<ImportJob | null> {
  return (await saveProgress(job)) ? job : null;
}

function progressOf(batches: readonly { readonly rows: number }[], batchesDone: number): Progress {
  const rowsOf = (some: typeof batches) => some.reduce((sum, { rows }) => sum + rows, 0);
  return { done: rowsOf(batches.slice(0, batchesDone)), all: rowsOf(batches) };
}

/**
 * Finds out what became of the batch that was sent last, before somebody looks at the rows that are left.
 *
 * @returns the job, ready for its preview; `null` if it was removed
 */
export async function settleImport(job: ImportJob, importer: Importer): Promise<ImportJob | null> {
  const { sent, ...settled } = job;
  const next: ImportJob = { ...settled, step: 'preview' };
  if (sent === undefined) return saved(next);
  const names = await readNames(job.owner);
  const { batches } = await prepareWork(job, importer, async () => names);
  const fate = await fateOfChange(importer, sent);
  const outcomes = await batches[job.batchesDone]?.settle(sent, fate);
  if (outcomes === undefined) return saved({ ...next, isUnsure: fate === 'unknown' });
  const batchesDone = job.batchesDone + 1;
  const done = { ...next, batchesDone, progress: progressOf(batches, batchesDone) };
  return (await saveProgress(done, outcomes)) ? done : null;
}
