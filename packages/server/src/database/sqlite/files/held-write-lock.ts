import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** The byte of SQLite's file `-shm` that a connection locks while it writes. Source: `wal.c` and `os_unix.c` of SQLite. */
const writeLockByte = 120;

/**
 * Returns whether this process holds the lock of writes to the database. Only Linux shows it.
 *
 * @param path the file of the database
 */
export function holdsWriteLock(path: string): boolean {
  try {
    const { ino } = statSync(`${path}-shm`);
    const range = `:${ino} ${writeLockByte} ${writeLockByte}`;
    return readdirSync('/proc/self/fd').some((descriptor) =>
      locksOf(descriptor).some((lock) => lock.includes(' WRITE ') && lock.endsWith(range)),
    );
  } catch {
    return false;
  }
}

/** Returns the locks that this process holds by a file of SQLite, as the system prints them. */
function locksOf(descriptor: string): string[] {
  try {
    if (!readlinkSync(`/proc/self/fd/${descriptor}`).endsWith('-shm')) return [];
    const lines = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').split('\n');
    return lines.filter((line) => line.startsWith('lock:'));
  } catch {
    // It was closed meanwhile.
    return [];
  }
}
