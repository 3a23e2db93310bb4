import { DatabaseSync } from 'node:sqlite';

/** A lock that ends with its process, however that ends. */
export interface ProcessLock {
  release(): void;
}

/**
 * Locks a file, which is created if missing. Node.js has no file locks of its own; SQLite's are the system's.
 *
 * @returns `undefined` when another process holds the lock, or the file system has no locks
 */
export function lockFile(path: string): ProcessLock | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { timeout: 0 });
    connection.exec('begin exclusive');
  } catch (error) {
    connection?.close();
    // Opening the file takes no lock yet, so this is a fault of the file.
    if (connection === undefined) throw error;
    return undefined;
  }
  const held = connection;
  return { release: () => held.close() };
}
