import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const chunkBytes = 4 * 1024 * 1024;

/**
 * Reads every file of a folder, so that the page cache holds them. Some systems drop cached pages within a minute, and a
 * round would then measure the disk.
 */
export async function readThrough(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    for await (const _chunk of createReadStream(path, { highWaterMark: chunkBytes }));
  }
}

/** Writes every file of a folder to the disk. Otherwise the system would do so during the rounds. */
export async function flushToDisk(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    const file = await open(path);
    await file.sync();
    await file.close();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
