import { type Acting, acting } from '../../../api/acting.ts';
import { serverNow } from '../../../api/server-clock.ts';
import type { Id } from '../../../api/wire.ts';
import { fateOfChange } from '../batches/fate-of-change.ts';
import type { Importer } from '../batches/importer.ts';
import { prepareWork } from '../batches/prepare-work.ts';
import { readJob, readNames, saveProgress } from './import-database.ts';
import type { ImportJob, Progress, RowOutcome } from './import-job.ts';

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
  const { owner } = running;
  const locks = locksOfTabs();
  if (locks === undefined) return runAlone(running, by);
  return locks.request(lockOf(owner), { ifAvailable: true }, (lock) =>
    lock === null ? notHere : runAlone(running, by),
  );
}

/** Browsers offer locks on HTTPS and localhost only. */
function locksOfTabs(): LockManager | undefined {
  return navigator.locks;
}

function lockOf(owner: string): string {
  return `fieldroster-import ${owner}`;
}

async function runAlone(
  { tenant, owner, signal, onProgress }: Running,
  by: Acting,
): Promise<ImportJob | null | typeof notHere> {
  // Another tab may have continued it.
  let job = await readJob(owner);
  if (job === undefined) return null;
  if (job.step !== 'running') return job;
  if (serverNow() - (job.activeAtMs ?? 0) > restMsMax) return saved(job, { ...job, step: 'stopped' });
  // The names keep their meaning from the preview: a batch that is sent again must be the same, whatever happens to the
  // directory meanwhile.
  const names = await readNames(owner);
  const { batches } = await prepareWork(job, { tenant, by }, async () => names);
  for (const batch of batches.slice(job.batchesDone)) {
    if (signal.aborted) return notHere;
    const progress = progressOf(batches, job.batchesDone);
    onProgress(progress);
    let noted: ImportJob = { ...job, progress };
    const note = async (sent: ImportJob['sent'] & object) => {
      const next = { ...noted, sent };
      if (!(await saveProgress(noted, next))) throw new OvertakenError();
      noted = next;
    };
    const outcomes = await batch.apply(noted.sent, note).catch((error: unknown) => {
      if (error instanceof OvertakenError) return undefined;
      throw error;
    });
    if (outcomes === undefined) return stored(owner);
    const { sent: _, ...rest } = noted;
    const batchesDone = rest.batchesDone + 1;
    job = { ...rest, batchesDone, activeAtMs: serverNow(), progress: progressOf(batches, batchesDone) };
    if (!(await saveProgress(noted, job, { outcomes }))) return stored(owner);
  }
  return saved(job, finished(job));
}

/** The import was removed, or another tab got on with it. */
class OvertakenError extends Error {}

/** Saves a job and returns it; the stored one if that got on from the state before. */
async function saved(
  before: ImportJob,
  job: ImportJob,
  outcomes?: readonly RowOutcome[],
): Promise<ImportJob | null> {
  if (await saveProgress(before, job, { ...(outcomes && { outcomes }) })) return job;
  return (await readJob(before.owner)) ?? null;
}

/** Returns what an import has become that this tab no longer runs. */
async function stored(owner: string): Promise<ImportJob | null | typeof notHere> {
  const job = await readJob(owner);
  return job?.step === 'running' ? notHere : (job ?? null);
}

/** The file may contain passwords, and is no longer needed. */
function finished(job: ImportJob): ImportJob {
  return { ...job, step: 'done', file: new Blob() };
}

function progressOf(batches: readonly { readonly rows: number }[], batchesDone: number): Progress {
  const rowsOf = (some: typeof batches) => some.reduce((sum, { rows }) => sum + rows, 0);
  return { done: rowsOf(batches.slice(0, batchesDone)), all: rowsOf(batches) };
}

/**
 * Finds out what became of the batch that was sent last, before somebody looks at the rows that are left.
 *
 * @returns the job, ready for its preview; as another tab left it if that has continued it; `null` if it was removed
 */
export async function settleImport(owner: string, importer: Importer): Promise<ImportJob | null> {
  const locks = locksOfTabs();
  const job = await readJob(owner);
  // Another tab keeps the lock as long as it runs the import.
  if (locks === undefined || job?.step !== 'stopped') return settleAlone(owner, importer);
  return locks.request(lockOf(owner), () => settleAlone(owner, importer));
}

async function settleAlone(owner: string, importer: Importer): Promise<ImportJob | null> {
  const job = await readJob(owner);
  if (job?.step !== 'stopped') return job ?? null;
  const { sent, ...settled } = job;
  const next: ImportJob = { ...settled, step: 'preview' };
  if (sent === undefined) return saved(job, next);
  const names = await readNames(owner);
  const { batches } = await prepareWork(job, importer, async () => names);
  const fate = await fateOfChange(importer, sent);
  const outcomes = await batches[job.batchesDone]?.settle(sent, fate);
  if (outcomes === undefined) return saved(job, { ...next, isUnsure: fate === 'unknown' });
  const batchesDone = job.batchesDone + 1;
  const after = { ...next, batchesDone, progress: progressOf(batches, batchesDone) };
  return saved(job, batchesDone === batches.length ? finished(after) : after, outcomes);
}
