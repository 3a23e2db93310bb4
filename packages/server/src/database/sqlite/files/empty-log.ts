import { DatabaseSync } from 'node:sqlite';

/**
 * Copies the whole write-ahead log into a database that nobody has open, and syncs it, so that the file is complete
 * without its log. SQLite does the same when the last connection closes, but reports no failure, such as a full disk.
 */
export function emptyLog(path: string): void {
  if (!tryToEmptyLog(path, 0))
    throw new Error(`the log of ${path} was not copied into it, because another process reads it`);
}

/**
 * Does the same with a database that other processes may have open.
 *
 * @param waitMs how long to wait for their reads; their writes wait as long
 * @returns false if a read went on, or a checkpoint of another process
 */
export function tryToEmptyLog(path: string, waitMs: number): boolean {
  const connection = new DatabaseSync(path, { timeout: waitMs });
  try {
    connection.exec('pragma synchronous = full');
    const { busy } = connection.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    return busy === 0;
  } finally {
    connection.close();
  }
}
