const databaseName = 'fieldroster-import';

/** Returns a key that no job has, because the key of a job is an owner: two numbers and nothing else. */
export function namesKey(owner: string): string {
  return `${owner} names`;
}

/** IndexedDB sorts arrays after all numbers. */
export function batchesOf(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []]);
}

let opened: Promise<IDBDatabase> | undefined;

/** Opens the database once, and again after the browser has refused or closed it. */
export function openImports(): Promise<IDBDatabase> {
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

export function request<Result>(made: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    made.onsuccess = () => resolve(made.result);
    made.onerror = () => reject(made.error);
  });
}

export function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
