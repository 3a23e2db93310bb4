import { DatabaseSync } from 'node:sqlite';

/**
 * Copies the whole write-ahead log into a database that nobody has open, and syncs it, so that the file is complete
 * without its log. SQLite does the same when the last connection closes, but reports no failure, such as a full disk.
 */
export function emptyLog(path: string): void {
  const connection = new DatabaseSync(path);
  try {
    connection.exec('pragma synchronous = full');
    const { busy } = connection.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    if (busy !== 0)
      throw new Error(`the log of ${path} was not copied into it, because another process reads it`);
  } finally {
    connection.close();
  }
}
