import type { ResolvedNames } from '@fieldroster/tables';
import type { ImportJob, RowOutcome } from './import-job.ts';
import { jobOf, type KeptJob, keepFile } from './kept-file.ts';

const databaseName = 'fieldroster-import';

/** Keeps the import of each operator and tenant in the browser: its file, how far it is, and the outcome of each batch. */
export async function readJob(owner: string): Promise<ImportJob | undefined> {
  const database = await open();
  const store = database.transaction('jobs').objectStore('jobs');
  const kept = await request<KeptJob | undefined>(store.get(owner));
  return kept && jobOf(kept);
}

export async function readOutcomes(owner: string): Promise<RowOutcome[]> {
  const database = await open();
  const store = database.transaction('outcomes').objectStore('outcomes');
  return (await request<RowOutcome[][]>(store.getAll(batchesOf(owner)))).flat();
}

/** Returns what the names in the file of an import that has begun stand for. */
export async function readNames(owner: string): Promise<ResolvedNames | undefined> {
  const database = await open();
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
  const database = await open();
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
  const database = await open();
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
  const database = await open();
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
  const kept = await request<KeptJob | undefined>(transaction.objectStore('jobs').get(seen.owner));
  const isSame = kept === undefined || (seen.step === 'running' ? isAtSameStep : isAsFar)(kept, seen);
  if (isSame) deleteJob(transaction, seen.owner);
  await completed(transaction);
  return kept === undefined || isSame ? undefined : jobOf(kept);
}

async function removeJob(owner: string): Promise<void> {
  const database = await open();
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
  deleteJob(transaction, owner);
  await completed(transaction);
}

function deleteJob(transaction: IDBTransaction, owner: string): void {
  transaction.objectStore('jobs').delete(owner);
  transaction.objectStore('jobs').delete(namesKey(owner));
  transaction.objectStore('outcomes').delete(batchesOf(owner));
}

/** Forgets every import, so that nothing of an operator who signs out stays in the browser. */
export async function removeAllJobs(): Promise<void> {
  const database = await open();
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
  transaction.objectStore('jobs').clear();
  transaction.objectStore('outcomes').clear();
  await completed(transaction);
}

/** Forgets the imports of everybody but one operator, who may not read the files of others. */
export async function removeJobsOfOthers(operatorId: string): Promise<void> {
  const database = await open();
  const transaction = database.transaction('jobs');
  const owners = await request(transaction.objectStore('jobs').getAllKeys());
  for (const owner of owners) if (!String(owner).startsWith(`${operatorId} `)) await removeJob(String(owner));
}

/** Returns a key that no job has, because the key of a job is an owner: two numbers and nothing else. */
function namesKey(owner: string): string {
  return `${owner} names`;
}

/** IndexedDB sorts arrays after all numbers. */
function batchesOf(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []]);
}

let opened: Promise<IDBDatabase> | undefined;

/** Opens the database once, and again after the browser has refused or closed it. */
function open(): Promise<IDBDatabase> {
  opened ??= openAnew(forget).catch((error: unknown) => {
    forget();
    throw error;
  });
  return opened;
}

function forget(): void {
  opened = undefined;
}

async function openAnew(onClose: () => void): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('jobs', { keyPath: 'owner' });
    opening.result.createObjectStore('outcomes');
  };
  const database = await request(opening);
  database.onclose = onClose;
  return database;
}

function request<Result>(made: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    made.onsuccess = () => resolve(made.result);
    made.onerror = () => reject(made.error);
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
