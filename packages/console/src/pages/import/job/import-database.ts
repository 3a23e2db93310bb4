import type { ResolvedNames } from '@fieldroster/tables';
import type { ImportJob, RowOutcome } from './import-job.ts';
import { jobOf, type KeptJob, keepFile } from './kept-file.ts';
import { batchesOf, completed, namesKey, openImports, request } from './open-imports.ts';
import { deleteJob } from './remove-imports.ts';

/** Keeps the import of each operator and tenant in the browser: its file, how far it is, and the outcome of each batch. */
export async function readJob(owner: string): Promise<ImportJob | undefined> {
  const database = await openImports();
  const store = database.transaction('jobs').objectStore('jobs');
  const kept = await request<KeptJob | undefined>(store.get(owner));
  return kept && jobOf(kept);
}

export async function readOutcomes(owner: string): Promise<RowOutcome[]> {
  const database = await openImports();
  const store = database.transaction('outcomes').objectStore('outcomes');
  return (await request<RowOutcome[][]>(store.getAll(batchesOf(owner)))).flat();
}

/** Returns what the names in the file of an import that has begun stand for. */
export async function readNames(owner: string): Promise<ResolvedNames | undefined> {
  const database = await openImports();
  const store = database.transaction('jobs').objectStore('jobs');
  const kept = await request<{ names: ResolvedNames } | undefined>(store.get(namesKey(owner)));
  return kept?.names;
}

/**
 * Keeps the job of a file that has just been chosen, unless there is one, which another tab may be running.
 *
 * @returns whether it was kept
 */
export async function saveNewJob(job: ImportJob): Promise<boolean> {
  const database = await openImports();
  return keepFile(job, async (next) => {
    const transaction = database.transaction('jobs', 'readwrite', { durability: 'strict' });
    const jobs = transaction.objectStore('jobs');
    const isFirst = (await request(jobs.getKey(job.owner))) === undefined;
    if (isFirst) jobs.put(next);
    await completed(transaction);
    return isFirst;
  });
}

interface Details {
  /** What the names in the file stand for. */
  readonly names?: ResolvedNames | undefined;
  /** The outcome of the last batch that the job counts as done. */
  readonly outcomes?: readonly RowOutcome[];
}

/**
 * Keeps the next state of an import. Writes nothing if the import was removed, or got on from the state before, in this
 * tab or another one.
 *
 * @returns whether it was written
 */
export async function saveProgress(
  before: ImportJob,
  job: ImportJob,
  details: Details = {},
): Promise<boolean> {
  const database = await openImports();
  return keepFile(job, (next) => writeProgress(database, before, next, details));
}

async function writeProgress(
  database: IDBDatabase,
  before: ImportJob,
  job: KeptJob,
  { names, outcomes }: Details,
): Promise<boolean> {
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite', { durability: 'strict' });
  const jobs = transaction.objectStore('jobs');
  const kept = await request<KeptJob | undefined>(jobs.get(job.owner));
  const isKept = kept !== undefined && isAsFar(kept, before);
  if (isKept) {
    jobs.put(job);
    // A record of their own: each batch writes the job again, and there may be as many names as rows.
    if (names !== undefined) jobs.put({ owner: namesKey(job.owner), names });
    if (job.step === 'done') jobs.delete(namesKey(job.owner));
    if (outcomes !== undefined)
      transaction.objectStore('outcomes').put(outcomes, [job.owner, job.batchesDone - 1]);
  }
  await completed(transaction);
  return isKept;
}

function isAsFar(a: KeptJob, b: ImportJob): boolean {
  return isAtSameStep(a, b) && a.batchesDone === b.batchesDone && a.sent?.changeId === b.sent?.changeId;
}

function isAtSameStep(a: KeptJob, b: ImportJob): boolean {
  return a.id === b.id && a.step === b.step && a.begunAtMs === b.begunAtMs;
}

/**
 * Forgets an import, unless another tab got on from what somebody saw who discards it. One that runs goes on all the time.
 *
 * @returns the import that is kept, if any
 */
export async function discardJob(seen: ImportJob): Promise<ImportJob | undefined> {
  const database = await openImports();
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
  const kept = await request<KeptJob | undefined>(transaction.objectStore('jobs').get(seen.owner));
  const isSame = kept === undefined || (seen.step === 'running' ? isAtSameStep : isAsFar)(kept, seen);
  if (isSame) deleteJob(transaction, seen.owner);
  await completed(transaction);
  return kept === undefined || isSame ? undefined : jobOf(kept);
}
