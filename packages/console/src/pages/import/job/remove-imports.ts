import { batchesOf, completed, namesKey, openImports, request } from './open-imports.ts';

/** Forgets every import, so that nothing of an operator who signs out stays in the browser. */
export async function removeAllJobs(): Promise<void> {
  const database = await openImports();
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
  transaction.objectStore('jobs').clear();
  transaction.objectStore('outcomes').clear();
  await completed(transaction);
}

/** Forgets the imports of everybody but one operator, who may not read the files of others. */
export async function removeJobsOfOthers(operatorId: string): Promise<void> {
  const database = await openImports();
  const transaction = database.transaction('jobs');
  const owners = await request(transaction.objectStore('jobs').getAllKeys());
  for (const owner of owners) if (!String(owner).startsWith(`${operatorId} `)) await removeJob(String(owner));
}

async function removeJob(owner: string): Promise<void> {
  const database = await openImports();
  const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
  deleteJob(transaction, owner);
  await completed(transaction);
}

export function deleteJob(transaction: IDBTransaction, owner: string): void {
  transaction.objectStore('jobs').delete(owner);
  transaction.objectStore('jobs').delete(namesKey(owner));
  transaction.objectStore('outcomes').delete(batchesOf(owner));
}
