import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Large, so that reading goes as fast as the disk does. */
const chunkBytes = 4 * 1024 * 1024;

/**
 * Reads the files of a folder from the first byte to the last, so that the system has them in memory again.
 * Some take back what they keep of files after seconds, others when memory is scarce; a round would then
 * measure the disk.
 */
export async function readThrough(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = createReadStream(join(entry.parentPath, entry.name), { highWaterMark: chunkBytes });
    for await (const _chunk of file);
  }
}
