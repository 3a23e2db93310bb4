import type { Page } from 'playwright-core';

/** Opens the page's database of imports; an empty one is as the console makes it. */
const openDatabase = `
  const resultOf = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const opening = indexedDB.open('fieldroster-import', 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('jobs', { keyPath: 'owner' });
    opening.result.createObjectStore('outcomes');
  };
  const database = await resultOf(opening);`;

/** Puts an import into the browser, like one that an operator left unfinished when signing out. */
export async function keepImport(page: Page): Promise<void> {
  await page.evaluate(`(async () => {${openDatabase}
    const transaction = database.transaction(['jobs', 'outcomes'], 'readwrite');
    await resultOf(transaction.objectStore('jobs').put({ owner: 'somebody' }));
    await resultOf(transaction.objectStore('outcomes').put([], ['somebody', 0]));
    database.close();
  })()`);
}

/** Returns how many imports, and how many outcomes of batches, the browser has. */
export function countKeptImports(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`(async () => {${openDatabase}
    const counts = ['jobs', 'outcomes'].map((name) =>
      resultOf(database.transaction(name).objectStore(name).count()));
    return await Promise.all(counts).finally(() => database.close());
  })()`);
}

/** Makes the import that the browser keeps older, as if it had been left for so long. */
export async function ageImport(page: Page, milliseconds: number): Promise<void> {
  await page.evaluate(`(async () => {${openDatabase}
    const store = database.transaction('jobs', 'readwrite').objectStore('jobs');
    const job = (await resultOf(store.getAll())).find(({ file }) => file !== undefined);
    for (const field of ['begunAtMs', 'activeAtMs']) job[field] -= ${milliseconds};
    if (job.sent !== undefined) job.sent.startedAtMs -= ${milliseconds};
    await resultOf(store.put(job));
    database.close();
  })()`);
}
