import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * Creates a missing file, and makes it accessible to its owner only, because a database holds password hashes.
 *
 * Does not open an existing file: under POSIX, closing it would release the locks of this process's other connections,
 * and the next process to close the database would remove the log that this one writes to.
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
}
