import { readFileSync, statSync } from 'node:fs';

/** The byte of SQLite's file `-shm` that a connection locks while it writes. Source: `wal.c` and `os_unix.c` of SQLite. */
const writeLockByte = 120;

/** A lock that keeps others from writing to a database. */
interface WriteLock {
  readonly pid: number;
  /** Whether it is that of a write, on the file `-shm`, and not one on the whole database. */
  readonly isOfWrite: boolean;
}

/**
 * Returns the locks that keep others from writing. Only Linux lists locks, and only those of processes in this container.
 *
 * @param path the file of the database
 */
export function listWriteLocks(path: string): readonly WriteLock[] {
  const [database, shared] = [path, `${path}-shm`].map(inodeOf);
  return readLines('/proc/locks')
    .map((line) => line.split(' ').filter((word) => word !== ''))
    .flatMap(([, , , mode, pid, file = '', first, last]) => {
      if (mode !== 'WRITE' || !(Number(pid) > 0)) return [];
      const inode = file.slice(file.lastIndexOf(':') + 1);
      const coversWriters =
        Number(first) <= writeLockByte && (last === 'EOF' || Number(last) >= writeLockByte);
      const isOfWrite = inode === shared && coversWriters;
      return isOfWrite || inode === database ? [{ pid: Number(pid), isOfWrite }] : [];
    });
}

/** Returns whether this process holds the write lock of the database. */
export function holdsWriteLock(path: string): boolean {
  return listWriteLocks(path).some(({ pid, isOfWrite }) => isOfWrite && pid === process.pid);
}

function inodeOf(path: string): string | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
